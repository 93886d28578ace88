#include "ngx_webhook_module/verify/signature_header.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

Provider grammar(char list, char kv, std::string_view key, Encoding encoding = Encoding::kHex) {
  Provider provider;
  provider.signature = {"Sig", list, kv, key};
  provider.encoding = encoding;
  return provider;
}

const Provider kStripe = grammar(',', '=', "v1");
const Provider kStandard = grammar(' ', ',', "v1", Encoding::kBase64);
const Provider kGithub = grammar(0, '=', "sha256");
const Provider kBare = grammar(0, 0, "");

const std::string kHex = hex(std::string(32, '\x5a'));
const std::string kBase64 = base64(std::string(32, '\x5a'));

// The count of signatures, or the reason; every signature must be 5a5a...
std::string parsed(const Provider& provider, const std::string& header) {
  Signatures signatures;
  const Reason reason = parse_signatures(provider, Exact(header), &signatures);
  if (reason != Reason::kNone) return name_of(reason);
  for (size_t i = 0; i < signatures.count; ++i) {
    for (size_t k = 0; k < 32; ++k) EXPECT_EQ(signatures.bytes[i][k], 0x5a);
  }
  return std::to_string(signatures.count);
}

TEST(SignatureHeader, R15_FirstMiddleAndLastElementCount) {
  const std::string bad(64, 'z');
  const struct {
    const Provider& provider;
    std::string header;
    std::string expected;
  } cases[] = {
      {kStripe, "t=1,v1=" + kHex, "1"},
      {kStripe, "v1=" + kHex + ",t=1", "1"},
      {kStripe, "v1=" + kHex + ",v1=" + bad + ",v1=" + bad, "1"},
      {kStripe, "v1=" + bad + ",v1=" + kHex + ",v1=" + bad, "1"},
      {kStripe, "v1=" + bad + ",v1=" + bad + ",v1=" + kHex, "1"},
      {kStripe, "v1=" + kHex + ",v1=" + kHex, "2"},
      {kStripe, "t=1, v1=" + kHex, "1"},
      {kStripe, " t = 1 , v1 = " + kHex + "\t", "1"},
      {kStripe, ",,v1=" + kHex + ",,", "1"},
      {kStandard, "v1," + kBase64, "1"},
      {kStandard, "v1a,xyz v1," + kBase64, "1"},
      {kStandard, "v1," + kBase64 + " v1," + kBase64 + " v2,abc", "2"},
      {kStandard, "  v1," + kBase64 + "  ", "1"},
      {kGithub, "sha256=" + kHex, "1"},
      {kBare, kHex, "1"},
      {kBare, " " + kHex + " ", "1"},
      {grammar(',', 0, ""), kHex + "," + kHex, "2"},
      {grammar(0, ' ', "HMAC", Encoding::kBase64), "HMAC " + kBase64, "1"},
      // base64 padding is no separator
      {grammar(',', '=', "v1", Encoding::kBase64), "v1=" + kBase64, "1"},
  };
  for (const auto& c : cases) EXPECT_EQ(parsed(c.provider, c.header), c.expected) << c.header;
}

TEST(SignatureHeader, R15_RefusesEverythingElse) {
  const struct {
    const Provider& provider;
    std::string header;
    std::string expected;
  } cases[] = {
      // Empty and short signatures have passed other verifiers.
      {kStandard, "v1,", "signature_malformed"},
      {kStandard, "v1", "signature_scheme"},
      {kStandard, "v1, ", "signature_malformed"},
      {kStandard, "v1," + kBase64.substr(0, 40), "signature_malformed"},
      {kStripe, "t=1,v1=", "signature_malformed"},
      {kStripe, "v1=" + kHex.substr(2), "signature_malformed"},
      {kStripe, "v1=" + kHex + "5a", "signature_malformed"},
      {kStripe, "v1=" + kHex.substr(1), "signature_malformed"},
      {kStripe, "v1=0x" + kHex, "signature_malformed"},
      {kStripe, "v1==" + kHex, "signature_malformed"},
      {kStripe, "v1=" + kHex + "v1=" + kHex, "signature_malformed"},
      {kStripe, "v1=" + kBase64, "signature_malformed"},
      {kGithub, "sha256=" + kHex + ",sha256=" + kHex, "signature_malformed"},
      {kBare, "sha256=" + kHex, "signature_malformed"},
      {kBare, "", "signature_scheme"},
      {kBare, " ", "signature_malformed"},
      // Another scheme is never a fallback.
      {kStripe, "t=1,v0=" + kHex, "signature_scheme"},
      {kStripe, "t=1", "signature_scheme"},
      {kStripe, "V1=" + kHex, "signature_scheme"},
      {kStripe, "v11=" + kHex, "signature_scheme"},
      {kStripe, "=" + kHex, "signature_scheme"},
      {kStripe, kHex, "signature_scheme"},
      {kStripe, "", "signature_scheme"},
      {kStripe, ",,,", "signature_scheme"},
      {kStripe, "v1;" + kHex, "signature_scheme"},
      {kStandard, kBase64, "signature_scheme"},
      {kGithub, "sha1=" + kHex, "signature_scheme"},
      {kGithub, kHex, "signature_scheme"},
  };
  for (const auto& c : cases) EXPECT_EQ(parsed(c.provider, c.header), c.expected) << c.header;
}

TEST(SignatureHeader, R15_AtMostSixteenOfTheWantedScheme) {
  std::string header;
  for (int i = 0; i < 16; ++i) header += "v0=x,v1=" + kHex + ",";
  EXPECT_EQ(parsed(kStripe, header), "16");
  EXPECT_EQ(parsed(kStripe, header + "v0=" + kHex), "16");
  EXPECT_EQ(parsed(kStripe, header + "v1=" + kHex), "signature_malformed");
  EXPECT_EQ(parsed(kStripe, header + "v1=x"), "signature_malformed");
}

TEST(SignatureHeader, TheSizeIsThatOfTheAlgorithm) {
  for (const MacAlgorithm algorithm :
       {MacAlgorithm::kHmacSha1, MacAlgorithm::kHmacSha256, MacAlgorithm::kHmacSha512}) {
    Provider provider = kBare;
    provider.algorithm = algorithm;
    for (size_t size = 0; size <= 66; ++size) {
      Signatures signatures;
      const Reason reason = parse_signatures(provider, hex(std::string(size, 'x')), &signatures);
      EXPECT_EQ(reason == Reason::kNone, size == mac_size(algorithm)) << size;
    }
  }
}

TEST(SignatureHeader, R15_ElementsAreFoundOnce) {
  const struct {
    std::string header;
    const char* expected;  // nullptr: false
  } cases[] = {
      {"t=1,v1=a", "1"},
      {"v1=a,t=1", "1"},
      {"v1=a, t = 1 ,x", "1"},
      {"t=", ""},
      {"t=a=b", "a=b"},
      {"t=1,t=2", nullptr},
      {"t=1,v1=a,t=1", nullptr},
      {"v1=a", nullptr},
      {"T=1", nullptr},
      {"tt=1", nullptr},
      {"t", nullptr},
      {"", nullptr},
      {"x=t,y=t=1", nullptr},
  };
  for (const auto& c : cases) {
    const Exact header(c.header);
    std::string_view value;
    const bool found = find_element(kStripe.signature, header, "t", &value);
    EXPECT_EQ(found, c.expected != nullptr) << c.header;
    if (found && c.expected != nullptr) {
      EXPECT_EQ(value, c.expected) << c.header;
    }
  }
}

}  // namespace
}  // namespace webhook::test
