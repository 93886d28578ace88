// What the body decides: signatures, secrets, the window.
#include "tests/verify/verifier_fixture.h"

namespace webhook::test {
namespace {

TEST_F(Verifier, AcceptsWhatIsSigned) {
  EXPECT_EQ(judged(delivery()), Reason::kNone);
  EXPECT_EQ(version_, "a");
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
