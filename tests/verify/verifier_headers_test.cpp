// What headers alone decide.
#include "tests/verify/verifier_fixture.h"

namespace webhook::test {
namespace {

class VerifierHeaders : public Verifier {};

TEST_F(VerifierHeaders, R10_ContentTypeAndEncoding) {
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

TEST_F(VerifierHeaders, AnyContentTypeWhenNoneIsNamed) {
  Provider any = provider_;
  any.content_type_count = 0;
  EXPECT_EQ(check_content(any, {}), Reason::kNone);
  const HeaderField field = {"Content-Type", "x"};
  EXPECT_EQ(check_content(any, {&field, 1}), Reason::kNone);
}

TEST_F(VerifierHeaders, R15_MissingSecurityHeaders) {
  EXPECT_EQ(without("X-Sig"), Reason::kSignatureMissing);
  EXPECT_EQ(with("X-Sig", ""), Reason::kSignatureMissing);
  EXPECT_EQ(without("X-Time"), Reason::kSignedHeaderMissing);
  EXPECT_EQ(with("X-Time", ""), Reason::kSignedHeaderMissing);
  EXPECT_EQ(without("X-Id"), Reason::kSignedHeaderMissing);
  EXPECT_EQ(with("X-Id", ""), Reason::kSignedHeaderMissing);
  EXPECT_EQ(without("X-Type"), Reason::kNone);  // unsigned and not for the verifier
}

TEST_F(VerifierHeaders, R15_DoubledInAnyCaseEvenWhenEqual) {
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

TEST_F(VerifierHeaders, R15_OversizedAndNonAscii) {
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

TEST_F(VerifierHeaders, R15_MalformedTimeAndSignature) {
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

// "a.1.BODY" signed as id "a": with the id "a.1.BO" a piece of the body would
// be the time, and the rest the body.
TEST_F(VerifierHeaders, R15_ASignedHeaderCannotSwallowItsSeparator) {
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

TEST_F(VerifierHeaders, ASignedHeaderWithNothingBehindItMayHoldAnything) {
  const struct {
    const char* text;
    const char* signed_bytes;
  } cases[] = {{"{ts}.{body}.{header:X-Id}", "1614265330.{}.a.b"},
               {"{header:X-Id}{ts}.{body}", "a.b1614265330.{}"}};
  for (const auto& c : cases) {
    std::string spec = kSpec;
    spec.replace(spec.find("{header:X-Id}.{ts}.{body}"), 25, c.text);
    const Providers providers(spec);
    ASSERT_TRUE(providers.good()) << providers.error();
    TestSecrets secrets("a "s + kSecret, providers[0]);
    Delivery d = delivery();
    d.body = "{}";
    d.set("X-Id", "a.b");
    d.set("X-Sig", "v1=" + hex(hmac(kSecret, c.signed_bytes)));
    EXPECT_EQ(judge(providers[0], d, secrets.set()), Reason::kNone) << c.text;
  }
}

}  // namespace
}  // namespace webhook::test
