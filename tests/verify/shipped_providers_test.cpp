// The files of providers/: each accepts what its provider would send, and
// nothing of it may be altered (R61).
#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

constexpr int64_t kNow = 1614265330000;
constexpr char kTime[] = "1614265330";

struct Sample {
  std::string name;
  std::string key;     // what HMAC gets
  std::string secret;  // what the file holds
  Delivery delivery;
  std::vector<std::string> signed_headers;  // an alteration is a mismatch
};

Sample sample(const std::string& name) {
  Sample s;
  s.name = name;
  s.key = "key of the sample provider 00001"s;
  s.secret = "key-of-the-sample-provider-00001";
  Delivery& d = s.delivery;
  d.now_ms = kNow;
  d.body = "{\"id\": \"evt_1\",\r\n \"name\": \"\xe2\x82\xac\\u00e9\"}\n";
  d.headers = {{"Content-Type", "application/json"}};
  if (name != "standard-webhooks") s.key = s.secret;
  if (name == "stripe") {
    d.set("Stripe-Signature", "t="s + kTime + ",v1=" + hex(hmac(s.key, kTime + ("." + d.body))) +
                                  ",v0=" + std::string(64, 'a'));
  } else if (name == "github") {
    d.set("X-Hub-Signature-256", "sha256=" + hex(hmac(s.key, d.body)));
    d.set("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958");
    d.set("X-GitHub-Event", "issues");
  } else if (name == "shopify") {
    d.set("X-Shopify-Hmac-Sha256", base64(hmac(s.key, d.body)));
    d.set("X-Shopify-Webhook-Id", "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043");
    d.set("X-Shopify-Topic", "orders/create");
  } else if (name == "slack") {
    d.set("X-Slack-Request-Timestamp", kTime);
    d.set("X-Slack-Signature", "v0=" + hex(hmac(s.key, "v0:"s + kTime + ":" + d.body)));
    s.signed_headers = {"X-Slack-Request-Timestamp"};
  } else {
    s.secret = "whsec_" + base64(s.key);
    d.set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek");
    d.set("webhook-timestamp", kTime);
    d.set("webhook-signature",
          "v1," + base64(hmac(s.key, d.get("webhook-id") + "." + kTime + "." + d.body)));
    s.signed_headers = {"webhook-id", "webhook-timestamp"};
  }
  return s;
}

class Shipped : public ::testing::TestWithParam<const char*> {
 protected:
  Shipped()
      : sample_(sample(GetParam())),
        providers_(shipped(GetParam())),
        provider_(providers_[0]),
        secrets_("a " + sample_.secret, provider_) {}

  Reason judged(const Delivery& delivery) { return judge(provider_, delivery, secrets_.set()); }
  const std::string signature_header() const { return std::string(provider_.signature.header); }

  Sample sample_;
  Providers providers_;
  const Provider& provider_;
  TestSecrets secrets_;
};

INSTANTIATE_TEST_SUITE_P(Providers, Shipped,
                         ::testing::Values("stripe", "github", "shopify", "slack",
                                           "standard-webhooks"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(Shipped, LoadsAloneUnderItsName) {
  ASSERT_TRUE(providers_.good()) << providers_.error();
  EXPECT_EQ(providers_.size(), 1u);
  EXPECT_EQ(provider_.name, GetParam());
  EXPECT_TRUE(secrets_.good()) << secrets_.error();
  EXPECT_GT(provider_.event_id.count, 0u);
  EXPECT_EQ(provider_.content_types[0], "application/json");
}

TEST_P(Shipped, R61_AcceptsItsOwn) {
  EXPECT_EQ(judged(sample_.delivery), Reason::kNone);
}

TEST_P(Shipped, R61_NoByteOfTheBodyMayDiffer) {
  const std::string& body = sample_.delivery.body;
  Delivery altered = sample_.delivery;
  for (size_t i = 0; i < body.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      altered.body = body;
      altered.body[i] = static_cast<char>(altered.body[i] ^ (1 << bit));
      ASSERT_EQ(judged(altered), Reason::kSignatureMismatch) << i;
    }
    altered.body = body;
    altered.body.erase(i, 1);
    ASSERT_EQ(judged(altered), Reason::kSignatureMismatch) << i;
  }
  for (size_t i = 0; i <= body.size(); ++i) {
    for (const char c : {' ', '\n', '\0'}) {
      altered.body = body;
      altered.body.insert(i, 1, c);
      ASSERT_EQ(judged(altered), Reason::kSignatureMismatch) << i;
    }
  }
  altered.body.clear();
  EXPECT_EQ(judged(altered), Reason::kSignatureMismatch);
}

TEST_P(Shipped, R61_NoBitOfASignedHeaderMayDiffer) {
  for (const std::string& name : sample_.signed_headers) {
    const std::string value = sample_.delivery.get(name);
    for (size_t i = 0; i < value.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        Delivery altered = sample_.delivery;
        std::string other = value;
        other[i] = static_cast<char>(other[i] ^ (1 << bit));
        altered.set(name, other);
        ASSERT_NE(judged(altered), Reason::kNone) << name << other;
      }
    }
    for (const std::string& other : {value + " ", " " + value, value + "0", "0" + value, ""s}) {
      Delivery altered = sample_.delivery;
      altered.set(name, other);
      ASSERT_NE(judged(altered), Reason::kNone) << name << other;
    }
  }
}

// Of the signature's own header every flip that changes more than the case of
// hex, or what another scheme says, is refused.
TEST_P(Shipped, R61_NoBitOfTheSignatureMayDiffer) {
  const std::string name = signature_header();
  const std::string value = sample_.delivery.get(name);
  const size_t end = std::min(value.size(), value.find(",v0="));
  for (size_t i = 0; i < end; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = value;
      other[i] = static_cast<char>(other[i] ^ (1 << bit));
      const bool same_hex = provider_.encoding == Encoding::kHex && bit == 5 && isalpha(value[i]) &&
                            i > value.rfind('=', end - 1);
      Delivery altered = sample_.delivery;
      altered.set(name, other);
      ASSERT_EQ(judged(altered) == Reason::kNone, same_hex) << other;
    }
  }
}

TEST_P(Shipped, R61_MissingAndDoubledHeaders) {
  for (size_t i = 0; i < provider_.named_header_count; ++i) {
    const std::string name(provider_.named_headers[i]);
    Delivery d = sample_.delivery;
    const bool present = std::any_of(d.headers.begin(), d.headers.end(), [&](const auto& header) {
      return equal_ignoring_case(header.first, name);
    });
    const std::string value = present ? d.get(name) : "x";
    d.headers.emplace_back(name, value);
    if (!present) d.headers.emplace_back(name, value);
    EXPECT_EQ(judged(d), Reason::kHeaderDoubled) << name;
    const bool is_signed = equal_ignoring_case(name, signature_header()) ||
                           std::any_of(sample_.signed_headers.begin(), sample_.signed_headers.end(),
                                       [&](const std::string& header) { return header == name; });
    d.erase(name);
    const Reason reason = judged(d);
    EXPECT_EQ(reason != Reason::kNone, is_signed) << name;
  }
}

TEST_P(Shipped, R61_SkewedClock) {
  Delivery d = sample_.delivery;
  const bool timed = provider_.signs_time();
  EXPECT_EQ(timed, std::string(GetParam()) != "github" && std::string(GetParam()) != "shopify");
  for (const int64_t edge : {-300000, 0, 300000}) {
    d.now_ms = kNow + edge;
    EXPECT_EQ(judged(d), Reason::kNone);
  }
  d.now_ms = kNow + 300001;
  EXPECT_EQ(judged(d), timed ? Reason::kStale : Reason::kNone);
  d.now_ms = kNow - 300001;
  EXPECT_EQ(judged(d), timed ? Reason::kFuture : Reason::kNone);
}

TEST_P(Shipped, R61_CurrentPreviousAndRetiredSecrets) {
  const std::string other = provider_.secret.form == KeyForm::kBase64
                                ? "whsec_" + base64("some other key of 24 byte")
                                : "some-other-secret-0000001";
  const std::string mine = "mine " + sample_.secret + " until=2021-02-25T15:02:11Z\n";
  TestSecrets previous("other " + other + "\n" + mine, provider_);
  ASSERT_TRUE(previous.good()) << previous.error();
  Match match;
  Delivery d = sample_.delivery;
  ASSERT_EQ(judge(provider_, d, previous.set(), &match), Reason::kNone);
  EXPECT_EQ(match.secret->version, "mine");
  d.now_ms = kNow + 1000;
  EXPECT_EQ(judge(provider_, d, previous.set()), Reason::kSignatureMismatch);
  TestSecrets retired(mine, provider_);
  EXPECT_EQ(judge(provider_, d, retired.set()), Reason::kSecretUnavailable);
}

}  // namespace
}  // namespace webhook::test
