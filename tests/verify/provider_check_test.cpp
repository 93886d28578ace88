#include "ngx_webhook_module/verify/provider_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

Providers provider_of(const std::string& directives) {
  return Providers("webhook_provider acme {" + directives + "}");
}

const std::string kBody =
    "signed '{body}'; algorithm hmac-sha256 hex; secret utf8; signature header:Sig;";
const std::string kTimed =
    "signed \"{header:Id}.{ts}.{body}\"; algorithm hmac-sha256 hex; secret utf8;"
    "signature header:Sig; timestamp header:Time unit=s;";

void expect_error(const std::string& directives, const std::string& sentence) {
  const Providers providers = provider_of(directives);
  EXPECT_FALSE(providers.good()) << directives;
  EXPECT_TRUE(contains(providers.error(), sentence)) << directives << ": " << providers.error();
}

void expect_good(const std::string& directives) {
  const Providers providers = provider_of(directives);
  EXPECT_TRUE(providers.good()) << directives << ": " << providers.error();
}

TEST(ProviderCheck, R16_SignatureGrammarIsWhole) {
  const std::string rest =
      "signed '{body}'; algorithm hmac-sha256 hex; secret utf8; "
      "event_id json:/id; signature header:Sig ";
  expect_good(rest + "list=,;");
  expect_good(rest + "kv== key=v1;");
  expect_good(rest + "kv=space key=HMAC;");
  expect_error(rest + "kv==;", "signature needs both kv=SEPARATOR and key=SCHEME, or neither");
  expect_error(rest + "kv== key=;", "signature needs both kv=SEPARATOR and key=SCHEME");
  expect_error(rest + "key=v1;", "signature needs both kv=SEPARATOR and key=SCHEME");
  expect_error(rest + "list=, kv=, key=v1;", "has the same separator for list= and kv=");
}

TEST(ProviderCheck, R13_TimeIsInsideTheSignature) {
  const std::string rest = "algorithm hmac-sha256 hex; secret utf8; event_id json:/id;";
  expect_error(rest + "signature header:S; signed '{body}'; timestamp header:T unit=s;",
               "timestamp is not in signed: a time outside the signature proves nothing; put {ts} "
               "into signed or remove timestamp");
  expect_error(rest + "signature header:S; signed '{ts}{body}';",
               "signed holds {ts}, so write timestamp SOURCE unit=UNIT as well");
  // The header as such is signed, but read as text, not as the time.
  expect_error(rest + "signature header:S; signed '{header:T}{body}'; timestamp header:T unit=s;",
               "timestamp is not in signed");
  for (const char* grammar : {"", "list=,", "kv== key=v1"}) {
    expect_error(
        rest + "signed '{ts}{body}'; timestamp sigkv:t unit=s; signature header:S " + grammar + ";",
        "timestamp sigkv: needs a signature with list=SEPARATOR kv=SEPARATOR key=");
  }
  expect_good(rest +
              "signed '{ts}{body}'; timestamp sigkv:t unit=s; "
              "signature header:S list=, kv== key=v1;");
}

TEST(ProviderCheck, R16_UnsignedIsSaidOfWhatIsUnsigned) {
  const std::string outside =
      "is outside the signature, so anybody can alter it; if that is how "
      "the provider works, add \"unsigned\"";
  const std::string inside = "is inside the signature; remove \"unsigned\"";
  expect_error(kBody + "event_id header:Id;", "event_id " + outside);
  expect_good(kBody + "event_id header:Id unsigned;");
  expect_error(kBody + "event_id json:/id unsigned;", "event_id " + inside);
  expect_good(kTimed + "event_id header:Id;");
  expect_good(kTimed + "event_id header:iD;");
  expect_error(kTimed + "event_id header:Id unsigned;", "event_id " + inside);
  expect_error(kTimed + "event_id header:Id-2;", "event_id " + outside);
  expect_good(kTimed + "event_id header:Id; created_at header:time unit=s;");
  expect_error(kTimed + "event_id header:Sig;", "event_id " + outside);
  // One unsigned part makes the whole unsigned, in whatever choice it stands.
  expect_error(kBody + "event_id concat(json:/id,header:X);", "event_id " + outside);
  expect_error(kBody + "event_id json:/id header:X;", "event_id " + outside);
  expect_good(kBody + "event_id json:/id header:X unsigned;");
  for (const char* name : {"event_type", "account", "object_id", "object_version"}) {
    expect_error(kBody + "event_id json:/id; " + name + " header:X;", name + (" " + outside));
    expect_error(kBody + "event_id json:/id; " + name + " json:/x unsigned;",
                 name + (" " + inside));
  }
  expect_error(kBody + "event_id json:/id; created_at header:X unit=s;", "created_at " + outside);
  // The name alone says nothing: sigkv:t is no header "t".
  expect_error(
      "signed '{ts}{body}'; algorithm hmac-sha256 hex; secret utf8; event_id header:t;"
      "timestamp sigkv:t unit=s; signature header:S list=, kv== key=v1;",
      "event_id " + outside);
  // A literal of the template with the same text is no header.
  expect_error(
      "signed \"Id{body}\"; algorithm hmac-sha256 hex; secret utf8; signature header:S;"
      "event_id header:Id;",
      "event_id " + outside);
}

TEST(ProviderCheck, R15_NamedHeadersAreAllAndOnce) {
  const Providers providers = provider_of(
      kTimed +
      "event_id header:ID; event_type dotted(header:Type,json:/a) header:Other unsigned;"
      "account header:type unsigned;");
  ASSERT_TRUE(providers.good()) << providers.error();
  std::vector<std::string> names;
  for (size_t i = 0; i < providers[0].named_header_count; ++i) {
    names.emplace_back(providers[0].named_headers[i]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Sig", "Time", "Id", "Type", "Other"}));
}

TEST(ProviderCheck, R15_AtMostSixteenNamedHeaders) {
  auto fields = [](int from, int to) {
    const char* const names[] = {"event_id", "event_type", "account", "object_id"};
    std::string text;
    for (int i = from; i < to; ++i) {
      if (i % 4 == 0) text += names[i / 4];
      text += " header:H" + std::to_string(i);
      if (i % 4 == 3 || i + 1 == to) text += " unsigned;";
    }
    return text;
  };
  expect_good(kBody + fields(0, 15));
  expect_error(kBody + fields(0, 16), "more than 16 headers are named");
  std::string long_template = "signed \"{body}";
  for (int i = 0; i < 15; ++i) long_template += "{header:T" + std::to_string(i) + "}";
  const std::string rest = "\"; algorithm hmac-sha256 hex; secret utf8; signature header:S;";
  expect_good(long_template + rest + "event_id json:/id;");
  expect_error(long_template + rest + "event_id header:X unsigned;",
               "more than 16 headers are named");
}

}  // namespace
}  // namespace webhook::test
