#include "ngx_webhook_module/verify/secrets.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

Provider utf8_provider() {
  Provider provider;
  provider.name = "acme";
  return provider;
}

Provider encoded_provider(KeyForm form, std::string_view prefix) {
  Provider provider = utf8_provider();
  provider.secret = {form, prefix};
  return provider;
}

const Provider kUtf8 = utf8_provider();

TEST(Secrets, R18_ReadsVersionsInOrder) {
  TestSecrets secrets(
      "# newest first\r\n"
      "\r\n"
      "2026-11  first-secret-00000\r\n"
      "\t2026-05\tsecond-secret-0000 until=2026-12-01T00:00:00Z\t\r\n"
      "#old gone-secret-000000\n"
      "v.1_2 third-secret-#00=00  from=2020-01-01T00:00:00+01:00   until=2026-12-01T00:00:00.5Z",
      kUtf8);
  ASSERT_TRUE(secrets.good()) << secrets.error();
  const SecretSet& set = *secrets.set();
  ASSERT_EQ(set.count, 3u);
  EXPECT_EQ(set.secrets[0].version, "2026-11");
  EXPECT_EQ(set.secrets[0].from_ms, INT64_MIN);
  EXPECT_EQ(set.secrets[0].until_ms, INT64_MAX);
  EXPECT_EQ(set.secrets[0].size, 18u);  // without the \r
  EXPECT_EQ(set.secrets[1].version, "2026-05");
  EXPECT_EQ(set.secrets[1].until_ms, 1796083200000);
  EXPECT_EQ(set.secrets[1].size, 18u);
  EXPECT_EQ(set.secrets[2].version, "v.1_2");
  EXPECT_EQ(set.secrets[2].from_ms, 1577833200000);
  EXPECT_EQ(set.secrets[2].until_ms, 1796083200500);
  EXPECT_EQ(set.secrets[2].size, 19u);
}

TEST(Secrets, R18_ValidFromAndUntilToTheMillisecond) {
  TestSecrets secrets("a 0123456789abcdef from=2026-01-01T00:00:00.250Z until=2026-01-01T00:00:01Z",
                      kUtf8);
  ASSERT_TRUE(secrets.good()) << secrets.error();
  const Secret& secret = secrets.set()->secrets[0];
  constexpr int64_t kStart = 1767225600250;
  EXPECT_FALSE(secret.valid_at(kStart - 1));
  EXPECT_TRUE(secret.valid_at(kStart));
  EXPECT_TRUE(secret.valid_at(kStart + 749));
  EXPECT_FALSE(secret.valid_at(kStart + 750));
}

TEST(Secrets, R12_Forms) {
  const std::string key = "\x00\x01 key of 24 bytes \xff"s + "...";
  const struct {
    Provider provider;
    std::string secret;
    size_t size;
  } cases[] = {
      {encoded_provider(KeyForm::kBase64, "whsec_"), "whsec_" + base64(key), key.size()},
      {encoded_provider(KeyForm::kBase64, "whsec_"), base64(key), key.size()},
      {encoded_provider(KeyForm::kBase64, ""), base64(key), key.size()},
      {encoded_provider(KeyForm::kHex, ""), hex(key), key.size()},
      {kUtf8, "whsec_" + base64(key), 6 + base64(key).size()},
      {kUtf8, std::string(4096, 'x'), 4096},
      {encoded_provider(KeyForm::kHex, ""), std::string(8192, 'a'), 4096},
  };
  for (const auto& c : cases) {
    TestSecrets secrets("v1 " + c.secret, c.provider);
    ASSERT_TRUE(secrets.good()) << secrets.error();
    EXPECT_EQ(secrets.set()->secrets[0].size, c.size);
  }
}

TEST(Secrets, R12_MinimumCountsDecodedBytes) {
  EXPECT_TRUE(TestSecrets("v1 " + std::string(16, 'x'), kUtf8, 16).good());
  EXPECT_FALSE(TestSecrets("v1 " + std::string(15, 'x'), kUtf8, 16).good());
  const Provider encoded = encoded_provider(KeyForm::kBase64, "whsec_");
  EXPECT_TRUE(TestSecrets("v1 whsec_" + base64(std::string(16, 'x')), encoded, 16).good());
  const TestSecrets shorter("v1 whsec_" + base64(std::string(15, 'x')), encoded, 16);
  EXPECT_EQ(shorter.error(), "line 1: the secret has 15 bytes and needs at least 16");
  // An empty key is refused even when the minimum is 0.
  EXPECT_FALSE(TestSecrets("v1 whsec_", encoded, 0).good());
}

// "S3cret" marks what must not come out in any sentence.
TEST(Secrets, R18_ErrorsNameTheLineAndNeverHoldASecret) {
  const Provider encoded = encoded_provider(KeyForm::kBase64, "whsec_");
  const std::string good = "a S3cret-0123456789\n";
  const std::string until = " until=2027-01-01T00:00:00Z\n";
  const struct {
    const Provider& provider;
    std::string file;
    const char* sentence;
  } cases[] = {
      {kUtf8, "", "the file holds no secret; write a line VERSION SECRET"},
      {kUtf8, "\n# only\n  \n", "the file holds no secret"},
      {kUtf8, "S3cret-0123456789", "line 1: write VERSION SECRET [from=TIME] [until=TIME]"},
      {kUtf8, "\n\na  \n", "line 3: write VERSION SECRET"},
      // The version is missing: the secret must not become it, nor the time the key.
      {kUtf8, "S3cret-0123456789 until=2027-01-01T00:00:00Z", "line 1: write VERSION SECRET"},
      {kUtf8, "S3cret-0123456789 from=2027-01-01T00:00:00Z", "line 1: write VERSION SECRET"},
      {kUtf8, "S3cret/0123456789 a", "line 1: the first word names the version; use letters"},
      {kUtf8, std::string(65, 'S') + " S3cret-0123456789", "line 1: the first word names the"},
      {kUtf8, " # S3cret-0123456789", "line 1: the first word names the version"},
      {kUtf8, "\xef\xbb\xbf" + good, "line 1: the first word names the version"},
      {kUtf8, "a my S3cret-0123456789", "line 1: after the secret only from= and until= may stand"},
      {kUtf8, "a 0123456789abcdef S3cret", "and a secret may hold no blank"},
      {kUtf8, "a S3cret-0123456789 # new", "line 1: after the secret only from= and until="},
      {kUtf8, "a S3cret-0123456789 UNTIL=2027-01-01T00:00:00Z", "line 1: after the secret only"},
      {kUtf8, "a S3cret-0123456789 until=S3cret", "line 1: from= and until= want a time like"},
      {kUtf8, "a S3cret-0123456789 until=", "line 1: from= and until= want a time like"},
      {kUtf8, "a S3cret-0123456789 from=2027-02-31T00:00:00Z", "want a time like 2026-12-01T"},
      {kUtf8, "a S3cret-0123456789 from=1700000000", "line 1: from= and until= want a time"},
      {kUtf8, "a S3cret-0123456789 from=2027-01-01T00:00:00Z until=2027-01-01T00:00:00Z",
       "line 1: until= is not after from="},
      {kUtf8, "a S3cret-0123456789 until=2027-01-01T00:00:00Z until=2028-01-01T00:00:00Z",
       "line 1: until= stands twice"},
      {kUtf8, "a S3cret-0123456789 from=2027-01-01T00:00:00Z from=2026-01-01T00:00:00Z",
       "line 1: from= stands twice"},
      {kUtf8, good + "b S3cret-9876543210", "line 2: only the first (newest) secret may go with"},
      {kUtf8, good + "b S3cret-9876543210 from=2027-01-01T00:00:00Z", "line 2: only the first"},
      {kUtf8, good + "#\na S3cret-9876543210" + until, "line 3: another line has the same version"},
      // The words swapped: the version holds the secret.
      {kUtf8, "S3cret-0123456789 aaaaaaaaaaaaaaaa\nS3cret-0123456789 bbbbbbbbbbbbbbbb" + until,
       "line 2: another line has the same version"},
      {kUtf8, "a S3cret", "line 1: the secret has 6 bytes and needs at least 16"},
      {kUtf8, "a " + std::string(4097, 'S'), "line 1: the secret is not text of at most 4096 byte"},
      {kUtf8, "a @/etc/S3cret-0123456789", "line 1: a secret that starts with '@' names a PEM"},
      {encoded, "a whsec_S3cret-0123456789", "is not base64, as provider \"acme\" wants it"},
      {encoded, "a S3cret-0123456789", "line 1: the secret is not base64"},
      {encoded, "a WHSEC_" + base64(std::string(24, 'S')), "line 1: the secret is not base64"},
      {encoded_provider(KeyForm::kHex, ""), "a S3cret-0123456789", "is not hexadecimal, as prov"},
  };
  for (const auto& c : cases) {
    TestSecrets secrets(c.file, c.provider);
    EXPECT_FALSE(secrets.good()) << c.file;
    EXPECT_EQ(secrets.set()->count, 0u);
    EXPECT_TRUE(contains(secrets.error(), c.sentence)) << secrets.error();
    EXPECT_FALSE(contains(secrets.error(), "S3cret")) << secrets.error();
    EXPECT_FALSE(contains(secrets.error(), "SSSS")) << secrets.error();
  }
}

TEST(Secrets, R18_AtMostEight) {
  std::string file = "v0 0123456789abcdef\n";
  for (int i = 1; i < 8; ++i) {
    file += "v" + std::to_string(i) + " 0123456789abcdef until=2027-01-01T00:00:00Z\n";
  }
  EXPECT_TRUE(TestSecrets(file, kUtf8).good());
  const TestSecrets nine(file + "v8 0123456789abcdef until=2027-01-01T00:00:00Z\n", kUtf8);
  EXPECT_EQ(nine.error(), "line 9: more than 8 secrets");
}

TEST(Secrets, EveryTruncationIsReadOrRefused) {
  const std::string file =
      "a S3cret-0123456789\nb S3cret-9876543210 from=2026-01-01T00:00:00Z "
      "until=2027-01-01T00:00:00Z\n";
  for (size_t size = 0; size <= file.size(); ++size) {
    TestSecrets secrets(file.substr(0, size), kUtf8);
    EXPECT_EQ(secrets.good(), secrets.set()->count > 0);
    EXPECT_FALSE(contains(secrets.error(), "S3cret"));
  }
}

TEST(Secrets, LackOfMemoryOrOfTheAlgorithmLeavesAnEmptySet) {
  const std::string file = "a 0123456789abcdef\nb 0123456789abcdef until=2027-01-01T00:00:00Z";
  TestSecrets no_memory(file, kUtf8, 16, 1);
  EXPECT_EQ(no_memory.error(), "out of memory");
  EXPECT_EQ(no_memory.set()->count, 0u);
  Provider unknown = utf8_provider();
  unknown.algorithm = static_cast<MacAlgorithm>(9);
  EXPECT_TRUE(contains(TestSecrets(file, unknown).error(), "line 1: OpenSSL cannot use the key"));
}

}  // namespace
}  // namespace webhook::test
