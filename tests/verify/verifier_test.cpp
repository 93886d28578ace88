#include "ngx_webhook_module/verify/verifier.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

constexpr int64_t kNow = 1614265330000;
constexpr char kSecret[] = "current-secret-0001";
constexpr char kOld[] = "previous-secret-002";

// Everything that can be named: several elements, a signed id, a signed time.
constexpr char kSpec[] = R"(webhook_provider acme {
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

TEST_F(Verifier, AcceptsWhatIsSigned) {
  EXPECT_EQ(judged(delivery()), Reason::kNone);
  EXPECT_EQ(version_, "a");
}

TEST_F(Verifier, R10_ContentTypeAndEncoding) {
  EXPECT_EQ(with("Content-Type", "Application/JSON; charset=utf-8"), Reason::kNone);
  EXPECT_EQ(with("Content-Type", " text/json ;x"), Reason::kNone);
  EXPECT_EQ(with("Content-Type", "application/jsonx"), Reason::kContentType);
  EXPECT_EQ(with("Content-Type", "text/plain"), Reason::kContentType);
  EXPECT_EQ(with("Content-Type", ""), Reason::kContentType);
  EXPECT_EQ(without("Content-Type"), Reason::kContentType);
  EXPECT_EQ(with_also("content-type", "application/json"), Reason::kHeaderDoubled);
  EXPECT_EQ(with("Content-Type", "application/json; x=\xff"), Reason::kHeaderMalformed);
  EXPECT_EQ(with("Content-Type", "application/json;" + std::string(1024, 'x')),
            Reason::kHeaderOversized);
  EXPECT_EQ(with_also("Content-Encoding", "gzip"), Reason::kContentEncoding);
  EXPECT_EQ(with_also("content-encoding", "br"), Reason::kContentEncoding);
  EXPECT_EQ(with_also("Content-Encoding", "identity, gzip"), Reason::kContentEncoding);
  EXPECT_EQ(with_also("Content-Encoding", "Identity"), Reason::kNone);
  EXPECT_EQ(with_also("Content-Encoding", ""), Reason::kNone);
  Delivery d = delivery();
  d.headers.emplace_back("Content-Encoding", "identity");
  d.headers.emplace_back("Content-Encoding", "gzip");
  EXPECT_EQ(judged(d), Reason::kHeaderDoubled);
}

TEST_F(Verifier, AnyContentTypeWhenNoneIsNamed) {
  Provider any = provider_;
  any.content_type_count = 0;
  EXPECT_EQ(check_content(any, {}), Reason::kNone);
  const HeaderField field = {"Content-Type", "x"};
  EXPECT_EQ(check_content(any, {&field, 1}), Reason::kNone);
}

TEST_F(Verifier, R15_MissingSecurityHeaders) {
  EXPECT_EQ(without("X-Sig"), Reason::kSignatureMissing);
  EXPECT_EQ(with("X-Sig", ""), Reason::kSignatureMissing);
  EXPECT_EQ(without("X-Time"), Reason::kSignedHeaderMissing);
  EXPECT_EQ(with("X-Time", ""), Reason::kSignedHeaderMissing);
  EXPECT_EQ(without("X-Id"), Reason::kSignedHeaderMissing);
  EXPECT_EQ(with("X-Id", ""), Reason::kSignedHeaderMissing);
  EXPECT_EQ(without("X-Type"), Reason::kNone);  // unsigned and not for the verifier
}

TEST_F(Verifier, R15_DoubledInAnyCaseEvenWhenEqual) {
  for (const char* name :
       {"X-Sig", "x-sig", "X-SIG", "X-Time", "x-TIME", "X-Id", "x-id", "X-Type", "x-type"}) {
    Delivery d = delivery();
    for (const char* as : {"X-Sig", "X-Time", "X-Id", "X-Type"}) {
      if (equal_ignoring_case(name, as)) d.headers.emplace_back(name, d.get(as));
    }
    EXPECT_EQ(judged(d), Reason::kHeaderDoubled) << name;
  }
  EXPECT_EQ(with_also("X_Sig", "v1=00"), Reason::kNone);
  EXPECT_EQ(with_also("X_Id", "other"), Reason::kNone);
  Delivery underscore = delivery();
  underscore.headers.emplace_back("X_Sig", underscore.get("X-Sig"));
  underscore.erase("X-Sig");
  EXPECT_EQ(judged(underscore), Reason::kSignatureMissing);
}

TEST_F(Verifier, R15_OversizedAndNonAscii) {
  EXPECT_EQ(with("X-Sig", delivery().get("X-Sig") + std::string(4096 - 67, ',')), Reason::kNone);
  EXPECT_EQ(with("X-Sig", delivery().get("X-Sig") + std::string(4097 - 67, ',')),
            Reason::kHeaderOversized);
  Delivery d = delivery();
  d.set("X-Id", std::string(1024, 'i'));
  d.set("X-Sig", sign(kSecret, d));
  EXPECT_EQ(judged(d), Reason::kNone);
  d.set("X-Id", std::string(1025, 'i'));
  d.set("X-Sig", sign(kSecret, d));
  EXPECT_EQ(judged(d), Reason::kHeaderOversized);
  EXPECT_EQ(with("X-Type", std::string(1025, 't')), Reason::kHeaderOversized);
  EXPECT_EQ(with("X-Time", std::string(1025, '1')), Reason::kHeaderOversized);
  for (const char* name : {"X-Sig", "X-Id", "X-Time", "X-Type"}) {
    for (const std::string& bad : {"\x7f"s, "\t"s, "\0"s, "\r"s, "\n"s, "\x80"s, "\xc3\xa9"s}) {
      Delivery bad_one = delivery();
      bad_one.set(name, bad_one.get(name) + bad);
      EXPECT_EQ(judged(bad_one), Reason::kHeaderMalformed) << name;
    }
  }
}

TEST_F(Verifier, R15_MalformedTimeAndSignature) {
  for (const char* time : {"1614265330abc", "-1", "1614265330 ", " 1614265330", "1.6e9", "abc",
                           "9999999999999", "+1614265330", "1614265330,1614265330"}) {
    Delivery d = delivery();
    d.set("X-Time", time);
    d.set("X-Sig", sign(kSecret, d));
    EXPECT_EQ(judged(d), Reason::kTimestampMalformed) << time;
  }
  EXPECT_EQ(with("X-Sig", "v1="), Reason::kSignatureMalformed);
  EXPECT_EQ(with("X-Sig", "v0=" + std::string(64, '0')), Reason::kSignatureScheme);
  EXPECT_EQ(with("X-Sig", "v1=" + std::string(64, '0')), Reason::kSignatureMismatch);
}

TEST_F(Verifier, R12_WrongSecretsAndForgedHeaders) {
  EXPECT_EQ(judged(delivery("some-other-secret-9")), Reason::kSignatureMismatch);
  EXPECT_EQ(version_, "");
  EXPECT_EQ(with("X-Id", "msg_2"), Reason::kSignatureMismatch);
  EXPECT_EQ(with("X-Time", "1614265331"), Reason::kSignatureMismatch);
  Delivery d = delivery();
  d.body += " ";
  EXPECT_EQ(judged(d), Reason::kSignatureMismatch);
}

// "a.1.BODY" signed as id "a": with the id "a.1.BO" a piece of the body would
// be the time, and the rest the body.
TEST_F(Verifier, R15_ASignedHeaderCannotSwallowItsSeparator) {
  Delivery d = delivery();
  d.body = R"({"note":"x.1614265330.[]"})";
  d.set("X-Sig", sign(kSecret, d));
  ASSERT_EQ(judged(d), Reason::kNone);
  Delivery moved = d;
  moved.set("X-Id", R"(msg_1.1614265330.{"note":"x)");
  moved.body = R"([]"})";
  ASSERT_EQ(sign(kSecret, moved), d.get("X-Sig"));  // the same signed bytes
  EXPECT_EQ(judged(moved), Reason::kHeaderMalformed);
}

TEST_F(Verifier, R18_BothSecretsDuringAnOverlap) {
  const std::string file = "new "s + kSecret + "\nold " + kOld + " until=2021-02-25T15:02:11Z";
  EXPECT_EQ(judged(delivery(kSecret), file), Reason::kNone);
  EXPECT_EQ(version_, "new");
  EXPECT_EQ(judged(delivery(kOld), file), Reason::kNone);
  EXPECT_EQ(version_, "old");
  // Signed with both, in either order: the newest is recorded.
  Delivery d = delivery();
  const std::string both[] = {sign(kOld, d) + "," + sign(kSecret, d),
                              sign(kSecret, d) + "," + sign(kOld, d)};
  for (const std::string& header : both) {
    d.set("X-Sig", header);
    EXPECT_EQ(judged(d, file), Reason::kNone);
    EXPECT_EQ(version_, "new");
  }
  // A delivery signed with a secret of each side of a rotation.
  d.set("X-Sig", sign("a-later-secret-0003", d) + "," + sign(kOld, d));
  EXPECT_EQ(judged(d, file), Reason::kNone);
  EXPECT_EQ(version_, "old");
}

TEST_F(Verifier, R18_ExpiredAndNotYetValidSecrets) {
  const std::string first = "new "s + kSecret + "\n";
  const struct {
    std::string file;
    Reason expected;
  } cases[] = {
      {first + "old " + kOld + " until=2021-02-25T15:02:10Z", Reason::kSignatureMismatch},
      {first + "old " + kOld + " until=2021-02-25T15:02:10.001Z", Reason::kNone},
      {first + "old " + kOld + " from=2021-02-25T15:02:10.001Z until=2030-01-01T00:00:00Z",
       Reason::kSignatureMismatch},
      {first + "old " + kOld + " from=2021-02-25T15:02:10Z until=2030-01-01T00:00:00Z",
       Reason::kNone},
      {"old "s + kOld + " until=2021-02-25T15:02:10Z", Reason::kSecretUnavailable},
      {"old "s + kOld + " from=2021-02-25T15:02:10.001Z", Reason::kSecretUnavailable},
  };
  for (const auto& c : cases) EXPECT_EQ(judged(delivery(kOld), c.file), c.expected) << c.file;
  // Our own fault, whatever the signature is.
  EXPECT_EQ(
      judged(delivery("anything-else-00009"), "a "s + kSecret + " until=2020-01-01T00:00:00Z"),
      Reason::kSecretUnavailable);
  SecretSet none;
  EXPECT_EQ(judge(provider_, delivery(), &none), Reason::kSecretUnavailable);
}

TEST_F(Verifier, R13_TheWindowIsJudgedOfAuthenticRequestsOnly) {
  const int64_t seconds = kNow / 1000;
  EXPECT_EQ(judged(delivery(kSecret, seconds - 300)), Reason::kNone);
  EXPECT_EQ(judged(delivery(kSecret, seconds - 301)), Reason::kStale);
  EXPECT_EQ(version_, "a");  // for a policy that puts late events into review
  EXPECT_EQ(judged(delivery(kSecret, seconds + 60)), Reason::kNone);
  EXPECT_EQ(judged(delivery(kSecret, seconds + 61)), Reason::kFuture);
  EXPECT_EQ(version_, "a");
  EXPECT_EQ(judged(delivery("some-other-secret-9", seconds - 301)), Reason::kSignatureMismatch);
  EXPECT_EQ(judged(delivery("some-other-secret-9", seconds + 61)), Reason::kSignatureMismatch);
  Delivery d = delivery(kSecret, seconds - 300);
  d.now_ms += 1;
  EXPECT_EQ(judged(d), Reason::kStale);
}

TEST_F(Verifier, TheDigestIsOfTheSignatureThatMatched) {
  ASSERT_EQ(judged(delivery()), Reason::kNone);
  const std::string first = digest_;
  Delivery d = delivery();
  const std::string signature = d.get("X-Sig");
  std::string upper = signature;
  for (size_t i = 3; i < upper.size(); ++i) upper[i] = static_cast<char>(toupper(upper[i]));
  for (const std::string& spelled : {upper, "v1=" + std::string(64, '0') + ",  " + signature}) {
    d.set("X-Sig", spelled);
    EXPECT_EQ(judged(d), Reason::kNone);
    EXPECT_EQ(digest_, first);
  }
  EXPECT_EQ(judged(delivery(kSecret, kNow / 1000 - 1)), Reason::kNone);
  EXPECT_NE(digest_, first);
}

TEST_F(Verifier, AMatchOfBeforeIsForgotten) {
  TestSecrets secrets("a "s + kSecret, provider_);
  Match match;
  ASSERT_EQ(judge(provider_, delivery(), secrets.set(), &match), Reason::kNone);
  EXPECT_EQ(judge(provider_, delivery("some-other-secret-9"), secrets.set(), &match),
            Reason::kSignatureMismatch);
  EXPECT_EQ(match.secret, nullptr);
}

TEST_F(Verifier, WhatOpenSslCannotDoIsOurOwnFault) {
  TestSecrets secrets("a "s + kSecret, provider_);
  secrets.set()->secrets[0].key.destroy();
  ASSERT_FALSE(secrets.set()->secrets[0].key.init(static_cast<MacAlgorithm>(9), kSecret));
  EXPECT_EQ(judge(provider_, delivery(), secrets.set()), Reason::kInternal);
}

}  // namespace
}  // namespace webhook::test
