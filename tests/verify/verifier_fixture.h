// A provider with all that can be named, and deliveries of it.
#ifndef WEBHOOK_TESTS_VERIFY_VERIFIER_FIXTURE_H_
#define WEBHOOK_TESTS_VERIFY_VERIFIER_FIXTURE_H_

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {

inline constexpr int64_t kNow = 1614265330000;
inline constexpr char kSecret[] = "current-secret-0001";
inline constexpr char kOld[] = "previous-secret-002";

// Everything that can be named: several elements, a signed id, a signed time.
inline constexpr char kSpec[] = R"(webhook_provider acme {
    signature header:X-Sig list=, kv== key=v1;
    timestamp header:X-Time unit=s;
    signed "{header:X-Id}.{ts}.{body}";
    algorithm hmac-sha256 hex;
    secret utf8;
    tolerance 5m 1m;
    content_type application/json text/json;
    event_id header:X-Id;
    event_type header:X-Type unsigned;
})";

class Verifier : public ::testing::Test {
 protected:
  Verifier() : specs_(kSpec), provider_(specs_[0]) {}

  static std::string sign(const std::string& secret, const Delivery& delivery) {
    return "v1=" + hex(hmac(secret, delivery.get("X-Id") + "." + delivery.get("X-Time") + "." +
                                        delivery.body));
  }

  static Delivery delivery(const std::string& secret = kSecret, int64_t seconds = kNow / 1000) {
    Delivery d;
    d.headers = {{"Host", "example.com"},
                 {"Content-Type", "application/json"},
                 {"X-Id", "msg_1"},
                 {"X-Time", std::to_string(seconds)},
                 {"X-Type", "invoice.paid"}};
    d.body = R"({"a": 1})";
    d.now_ms = kNow;
    d.set("X-Sig", sign(secret, d));
    return d;
  }

  Reason judged(const Delivery& d, const std::string& file = "a "s + kSecret) {
    TestSecrets secrets(file, provider_);
    EXPECT_TRUE(secrets.good()) << secrets.error();
    Match match;
    const Reason reason = judge(provider_, d, secrets.set(), &match);
    version_ = match.secret == nullptr ? "" : std::string(match.secret->version);
    if (match.secret != nullptr) {
      digest_ = {reinterpret_cast<char*>(match.signature_digest), kSignatureDigestSize};
    }
    return reason;
  }

  Reason with(const std::string& name, const std::string& value) {
    Delivery d = delivery();
    d.set(name, value);
    return judged(d);
  }

  Reason with_also(const std::string& name, const std::string& value) {
    Delivery d = delivery();
    d.headers.emplace_back(name, value);
    return judged(d);
  }

  Reason without(const std::string& name) {
    Delivery d = delivery();
    d.erase(name);
    return judged(d);
  }

  Providers specs_;
  const Provider& provider_;
  std::string version_;
  std::string digest_;
};

}  // namespace webhook::test

#endif  // WEBHOOK_TESTS_VERIFY_VERIFIER_FIXTURE_H_
