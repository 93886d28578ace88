#include "webhookctl/encode.h"

#include <gtest/gtest.h>

#include <vector>

namespace webhook {
namespace {

class EncodeTest : public testing::TestWithParam<Encoding> {};

TEST_P(EncodeTest, IsReadBackByDecode) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 256; ++i) {
    const std::string text = encode(GetParam(), bytes);
    std::vector<uint8_t> decoded(text.size());
    size_t size = 0;
    ASSERT_TRUE(decode(GetParam(), text, decoded.data(), decoded.size(), &size)) << text;
    decoded.resize(size);
    EXPECT_EQ(decoded, bytes);
    bytes.push_back(static_cast<uint8_t>(255 - i));
  }
}

INSTANTIATE_TEST_SUITE_P(Encodings, EncodeTest,
                         testing::Values(Encoding::kHex, Encoding::kBase64, Encoding::kBase64Url));

}  // namespace
}  // namespace webhook
