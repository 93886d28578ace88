#include "webhookctl/signer.h"

#include <gtest/gtest.h>

#include <optional>

#include "ngx_webhook_module/verify/verifier.h"
#include "webhookctl/event_fields.h"
#include "webhookctl/provider_catalog.h"
#include "webhookctl/sample_event.h"
#include "webhookctl/whole_body.h"

namespace webhook {
namespace {

constexpr int64_t kNow = 1'700'000'000'000;
constexpr char kSecretFile[] = "2026-11 whsec_MDEyMzQ1Njc4OWFiY2RlZg==\n";

// One provider with one secret, from both ends.
class Scheme {
 public:
  explicit Scheme(const Provider& provider) : provider_(provider) {
    ConfigError error;
    EXPECT_TRUE(parse_secrets(kSecretFile, provider, 16, memory_.arena(), &secrets_, &error))
        << error.text;
  }
  ~Scheme() { secrets_.destroy(); }

  EventRequest signed_request(const SampleEvent& event) {
    EventRequest request = make_request(provider_, event);
    const Signer signer(provider_, &secrets_.secrets[0].key);
    EXPECT_TRUE(signer.sign(event.created_at_ms, request.body, &request.headers));
    return request;
  }

  Reason check(const EventRequest& request, int64_t now_ms = kNow) {
    const HeaderView headers(request.headers);
    Claims claims;
    Reason reason = check_content(provider_, headers);
    if (reason == Reason::kNone) reason = check_headers(provider_, headers, &claims);
    if (reason != Reason::kNone) return reason;
    Match match;
    return verify(provider_, claims, headers, WholeBody(request.body), &secrets_,
                  provider_.tolerance, now_ms, &match);
  }

 private:
  const Provider& provider_;
  HeapArena memory_;
  SecretSet secrets_;
};

SampleEvent sample() {
  return {"evt_0123", "invoice.paid.late", kNow, std::nullopt};
}

std::string& value_of(HeaderList* headers, std::string_view name) {
  for (OwnedHeader& header : headers->all()) {
    if (equal_ignoring_case(header.name, name)) return header.value;
  }
  ADD_FAILURE() << "no header " << name;
  static std::string none;
  return none;
}

class SignerTest : public testing::TestWithParam<const char*> {
 protected:
  const ProviderCatalog catalog_{WEBHOOK_SOURCE_DIR "/providers"};
  const Provider& provider_ = catalog_.find(GetParam());
  Scheme scheme_{provider_};
};

TEST_P(SignerTest, WhatIsSignedVerifies) {
  EXPECT_EQ(scheme_.check(scheme_.signed_request(sample())), Reason::kNone);
}

TEST_P(SignerTest, AnyBodyVerifies) {
  SampleEvent event = sample();
  event.body = std::string("\0\xff not JSON", 12);
  EXPECT_EQ(scheme_.check(scheme_.signed_request(event)), Reason::kNone);
}

TEST_P(SignerTest, OneFlippedBitOfTheBodyIsNoticed) {
  const EventRequest good = scheme_.signed_request(sample());
  for (size_t bit = 0; bit < good.body.size() * 8; ++bit) {
    EventRequest bad = good;
    bad.body[bit / 8] = static_cast<char>(bad.body[bit / 8] ^ (1 << bit % 8));
    ASSERT_EQ(scheme_.check(bad), Reason::kSignatureMismatch) << "bit " << bit;
  }
}

TEST_P(SignerTest, OneFlippedBitOfTheSignatureIsNoticed) {
  const EventRequest good = scheme_.signed_request(sample());
  EventRequest bad = good;
  std::string& signature = value_of(&bad.headers, provider_.signature.header);
  for (size_t bit = 0; bit < signature.size() * 8; ++bit) {
    const char before = signature[bit / 8];
    signature[bit / 8] = static_cast<char>(before ^ (1 << bit % 8));
    // The digits of hex in the other case are the same signature.
    if (to_lower(signature[bit / 8]) != to_lower(before)) {
      ASSERT_NE(scheme_.check(bad), Reason::kNone) << "bit " << bit;
    }
    signature[bit / 8] = before;
  }
}

TEST_P(SignerTest, EverySignedHeaderIsCovered) {
  const EventRequest good = scheme_.signed_request(sample());
  for (size_t i = 0; i < provider_.signed_bytes.count; ++i) {
    const TemplatePart& part = provider_.signed_bytes.parts[i];
    if (part.kind != TemplatePart::Kind::kHeader) continue;
    EventRequest bad = good;
    value_of(&bad.headers, part.text).back() ^= 1;
    EXPECT_EQ(scheme_.check(bad), Reason::kSignatureMismatch) << part.text;
  }
}

TEST_P(SignerTest, TheSignedTimeIsJudged) {
  const EventRequest request = scheme_.signed_request(sample());
  const int64_t window_ms = provider_.tolerance.past_s * 1000;
  const Reason late = provider_.signs_time() ? Reason::kStale : Reason::kNone;
  EXPECT_EQ(scheme_.check(request, kNow + window_ms), Reason::kNone);
  EXPECT_EQ(scheme_.check(request, kNow + window_ms + 1), late);
}

TEST_P(SignerTest, TheSameEventGivesTheSameBytes) {
  const EventRequest first = scheme_.signed_request(sample());
  const EventRequest second = scheme_.signed_request(sample());
  EXPECT_EQ(first.body, second.body);
  ASSERT_EQ(first.headers.all().size(), second.headers.all().size());
  for (size_t i = 0; i < first.headers.all().size(); ++i) {
    EXPECT_EQ(first.headers.all()[i].name, second.headers.all()[i].name);
    EXPECT_EQ(first.headers.all()[i].value, second.headers.all()[i].value);
  }
}

TEST_P(SignerTest, TheOtherEndFindsTheIdAndType) {
  const EventRequest request = scheme_.signed_request(sample());
  const HeaderView headers(request.headers);
  EXPECT_EQ(read_field(provider_.event_id, headers, request.body), "evt_0123");
  EXPECT_EQ(read_field(provider_.event_type, headers, request.body), "invoice.paid.late");
}

INSTANTIATE_TEST_SUITE_P(Providers, SignerTest,
                         testing::Values("github", "shopify", "slack", "standard-webhooks",
                                         "stripe"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace webhook
