#include "ngx_webhook_module/verify/encoding.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

constexpr size_t kCapacity = 64;

// The decoded bytes, or "refused".
std::string decoded(Encoding encoding, std::string_view text, size_t capacity = kCapacity) {
  std::vector<uint8_t> out(capacity);
  size_t size = 0;
  if (!decode(encoding, Exact(text), out.data(), capacity, &size)) return "refused";
  return {reinterpret_cast<char*>(out.data()), size};
}

struct Case {
  Encoding encoding;
  std::string text;
  std::string expected;
};

TEST(Encoding, Decodes) {
  const Case cases[] = {
      {Encoding::kHex, "", ""},
      {Encoding::kHex, "00ff", "\x00\xff"s},
      {Encoding::kHex, "0123456789abcdef", "\x01\x23\x45\x67\x89\xab\xcd\xef"},
      {Encoding::kHex, "ABCDEF", "\xab\xcd\xef"},
      {Encoding::kHex, "aBcD", "\xab\xcd"},
      {Encoding::kBase64, "", ""},
      {Encoding::kBase64, "QQ==", "A"},
      {Encoding::kBase64, "QQ", "A"},
      {Encoding::kBase64, "QUI=", "AB"},
      {Encoding::kBase64, "QUI", "AB"},
      {Encoding::kBase64, "QUJD", "ABC"},
      {Encoding::kBase64, "++//", "\xfb\xef\xff"},
      {Encoding::kBase64Url, "--__", "\xfb\xef\xff"},
      {Encoding::kBase64Url, "QQ==", "A"},
      {Encoding::kBase64Url, "QQ", "A"},
  };
  for (const Case& c : cases) EXPECT_EQ(decoded(c.encoding, c.text), c.expected) << c.text;
}

TEST(Encoding, R15_RefusesWhatIsNotOfTheEncoding) {
  const Case cases[] = {
      // odd, blanks, prefixes, signs and neighbours of the ranges
      {Encoding::kHex, "0", ""},
      {Encoding::kHex, "0g", ""},
      {Encoding::kHex, "g0", ""},
      {Encoding::kHex, "/0", ""},
      {Encoding::kHex, ":0", ""},
      {Encoding::kHex, "@0", ""},
      {Encoding::kHex, "`0", ""},
      {Encoding::kHex, "0x12", ""},
      {Encoding::kHex, " 12", ""},
      {Encoding::kHex, "12 ", ""},
      {Encoding::kHex, "12\n1", ""},
      {Encoding::kHex, "1\0"s, ""},
      {Encoding::kHex, "\xff\xff", ""},
      // length 1 modulo 4, incomplete or surplus padding, padding inside
      {Encoding::kBase64, "Q", ""},
      {Encoding::kBase64, "QUJDQ", ""},
      {Encoding::kBase64, "QQ=", ""},
      {Encoding::kBase64, "QQ===", ""},
      {Encoding::kBase64, "QUI==", ""},
      {Encoding::kBase64, "QUJD=", ""},
      {Encoding::kBase64, "QUJD====", ""},
      {Encoding::kBase64, "Q===", ""},
      {Encoding::kBase64, "=", ""},
      {Encoding::kBase64, "====", ""},
      {Encoding::kBase64, "Q=Q=", ""},
      {Encoding::kBase64, "=QQQ", ""},
      // unused bits that are not zero: a second text of the same value
      {Encoding::kBase64, "QR==", ""},
      {Encoding::kBase64, "QR", ""},
      {Encoding::kBase64, "QUJ=", ""},
      {Encoding::kBase64, "QUK", ""},
      // blanks and the other alphabet
      {Encoding::kBase64, "QU JD", ""},
      {Encoding::kBase64, "QUJD\n", ""},
      {Encoding::kBase64, "--__", ""},
      {Encoding::kBase64Url, "++//", ""},
      {Encoding::kBase64Url, "QUJ\xc3", ""},
      {static_cast<Encoding>(9), "", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(decoded(c.encoding, c.text), "refused") << c.text;
}

TEST(Encoding, StaysWithinTheCapacity) {
  EXPECT_EQ(decoded(Encoding::kHex, "414243", 3), "ABC");
  EXPECT_EQ(decoded(Encoding::kHex, "41424344", 3), "refused");
  EXPECT_EQ(decoded(Encoding::kBase64, "QUJD", 3), "ABC");
  EXPECT_EQ(decoded(Encoding::kBase64, "QUJDRA", 3), "refused");
  EXPECT_EQ(decoded(Encoding::kBase64, "QQ", 0), "refused");
}

// One value has one text but for the padding (and the case of hex), so that a
// signature cannot be respelled.
TEST(Encoding, RoundTripsAndHasOneSpelling) {
  std::mt19937 random(1);
  for (size_t size = 0; size <= kCapacity; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(random());
    EXPECT_EQ(decoded(Encoding::kHex, hex(bytes)), bytes);
    const std::string text = base64(bytes);
    EXPECT_EQ(decoded(Encoding::kBase64, text), bytes);
    for (size_t i = 0; i < text.size(); ++i) {
      for (int c = 0; c < 256; ++c) {
        std::string other = text;
        other[i] = static_cast<char>(c);
        if (other != text) {
          EXPECT_NE(decoded(Encoding::kBase64, other), bytes) << text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace webhook::test
