#include "ngx_webhook_module/verify/mac.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

class TestKey {
 public:
  TestKey(MacAlgorithm algorithm, std::string_view key)
      : algorithm_(algorithm), good_(key_.init(algorithm, key)) {}
  ~TestKey() { key_.destroy(); }

  bool good() const { return good_; }

  std::string digest(std::initializer_list<std::string_view> pieces) {
    uint8_t out[kMaxMacSize];
    bool good = key_.begin();
    for (const std::string_view piece : pieces) good = good && key_.update(piece);
    if (!good || !key_.finish(out)) return "failed";
    return hex({reinterpret_cast<char*>(out), mac_size(algorithm_)});
  }

 private:
  MacAlgorithm algorithm_;
  MacKey key_;
  bool good_;
};

// RFC 2202 and RFC 4231, test cases 1, 2 and 6.
TEST(Mac, PublishedVectors) {
  const std::string long_key(131, '\xaa');
  const std::string_view long_text = "Test Using Larger Than Block-Size Key - Hash Key First";
  const struct {
    MacAlgorithm algorithm;
    std::string key;
    std::string_view message;
    const char* digest;
  } cases[] = {
      {MacAlgorithm::kHmacSha1, std::string(20, '\x0b'), "Hi There",
       "b617318655057264e28bc0b6fb378c8ef146be00"},
      {MacAlgorithm::kHmacSha1, "Jefe", "what do ya want for nothing?",
       "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
      {MacAlgorithm::kHmacSha256, std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {MacAlgorithm::kHmacSha256, "Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {MacAlgorithm::kHmacSha256, long_key, long_text,
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
      {MacAlgorithm::kHmacSha512, "Jefe", "what do ya want for nothing?",
       "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
       "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"},
  };
  for (const auto& c : cases) {
    TestKey key(c.algorithm, c.key);
    ASSERT_TRUE(key.good());
    EXPECT_EQ(key.digest({c.message}), c.digest);
  }
}

TEST(Mac, PiecesMakeTheSameDigestAsTheWhole) {
  TestKey key(MacAlgorithm::kHmacSha256, "0123456789abcdef");
  const std::string text = "v0:1614265330:{\"a\":\"\xf0\x9f\x98\x80\"}\r\n"s + '\0';
  const std::string whole = key.digest({text});
  EXPECT_EQ(whole, hex(hmac("0123456789abcdef", text)));
  for (size_t i = 0; i <= text.size(); ++i) {
    EXPECT_EQ(key.digest({text.substr(0, i), "", text.substr(i)}), whole);
  }
}

TEST(Mac, AKeyServesOneMessageAfterAnother) {
  TestKey one(MacAlgorithm::kHmacSha256, "first key of a test");
  TestKey other(MacAlgorithm::kHmacSha256, "second key of a test");
  for (int i = 0; i < 100; ++i) {
    const std::string text(static_cast<size_t>(i), 'x');
    EXPECT_EQ(one.digest({text}), hex(hmac("first key of a test", text)));
    EXPECT_EQ(other.digest({text}), hex(hmac("second key of a test", text)));
  }
}

TEST(Mac, AnAbandonedMessageLeavesNoTrace) {
  MacKey key;
  ASSERT_TRUE(key.init(MacAlgorithm::kHmacSha256, "first key of a test"));
  uint8_t out[kMaxMacSize];
  ASSERT_TRUE(key.begin() && key.update("half of one"));
  ASSERT_TRUE(key.begin() && key.update("another") && key.finish(out));
  EXPECT_EQ(std::string(reinterpret_cast<char*>(out), 32), hmac("first key of a test", "another"));
  key.destroy();
  key.destroy();  // does no harm
}

TEST(Mac, AnAlgorithmThatIsNotThereLeavesNoErrorBehind) {
  TestKey key(static_cast<MacAlgorithm>(9), "0123456789abcdef");
  EXPECT_FALSE(key.good());
  EXPECT_EQ(ERR_peek_error(), 0u);
  EXPECT_EQ(mac_size(static_cast<MacAlgorithm>(9)), 0u);
}

}  // namespace
}  // namespace webhook::test
