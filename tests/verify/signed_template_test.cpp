#include "ngx_webhook_module/verify/signed_template.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

using Kind = TemplatePart::Kind;

std::string shown(const SignedTemplate& signed_bytes) {
  std::string text;
  for (size_t i = 0; i < signed_bytes.count; ++i) {
    const TemplatePart& part = signed_bytes.parts[i];
    switch (part.kind) {
      case Kind::kLiteral: text += "'" + std::string(part.text) + "'"; break;
      case Kind::kBody: text += "BODY"; break;
      case Kind::kTimestamp: text += "TS"; break;
      case Kind::kHeader: text += "<" + std::string(part.text) + ">"; break;
    }
  }
  return text;
}

TEST(SignedTemplate, R16_Parses) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"{body}", "BODY"},
      {"{ts}.{body}", "TS'.'BODY"},
      {"v0:{ts}:{body}", "'v0:'TS':'BODY"},
      {"{header:webhook-id}.{ts}.{body}", "<webhook-id>'.'TS'.'BODY"},
      {"{body}{header:A}{header:B}", "BODY<A><B>"},
      {"{ts}{ts}{body}", "TSTSBODY"},
      {"{ts}\n{body}\n", "TS'\n'BODY'\n'"},
      {"}{body}", "'}'BODY"},
      {"{body}}", "BODY'}'"},
  };
  SignedTemplate signed_bytes;
  for (const auto& c : cases) {
    const Exact text(c.text);
    ConfigError error;
    ASSERT_TRUE(parse_template(text, &signed_bytes, &error)) << error.text;
    EXPECT_EQ(shown(signed_bytes), c.expected);
  }
}

TEST(SignedTemplate, R16_Refuses) {
  const struct {
    std::string text;
    const char* sentence;
  } cases[] = {
      {"", "the template must hold {body} exactly once"},
      {"{ts}.", "the template must hold {body} exactly once"},
      {"{body}{body}", "the template must hold {body} exactly once"},
      {"{body", "\"{\" is not closed by \"}\""},
      {"{ts}.{body}{", "\"{\" is not closed by \"}\""},
      {"{}{body}", "unknown placeholder \"{}\"; write {body}, {ts} or {header:NAME}"},
      {"{Body}", "unknown placeholder \"{Body}\""},
      {"{ body}", "unknown placeholder \"{ body}\""},
      {"{url}{body}", "unknown placeholder \"{url}\""},
      {"{header:}{body}", "unknown placeholder \"{header:}\""},
      {"{header:A B}{body}", "unknown placeholder \"{header:A B}\""},
      {"{json:/id}{body}", "unknown placeholder \"{json:/id}\""},
      {"{sigkv:t}{body}", "unknown placeholder \"{sigkv:t}\""},
      {"{{body}}", "unknown placeholder \"{{body}\""},
      {"{body}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}",
       "the template has more than 16 parts"},
      {"{body}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}{ts}.",
       "the template has more than 16 parts"},
  };
  for (const auto& c : cases) {
    SignedTemplate signed_bytes;
    ConfigError error;
    EXPECT_FALSE(parse_template(Exact(c.text), &signed_bytes, &error)) << c.text;
    EXPECT_TRUE(contains(error.text, c.sentence)) << error.text;
  }
}

TEST(SignedTemplate, HasPart) {
  SignedTemplate signed_bytes;
  ConfigError error;
  ASSERT_TRUE(parse_template("x{header:A-b}.{body}", &signed_bytes, &error));
  EXPECT_TRUE(has_part(signed_bytes, Kind::kHeader, "a-B"));
  EXPECT_TRUE(has_part(signed_bytes, Kind::kBody, ""));
  EXPECT_FALSE(has_part(signed_bytes, Kind::kHeader, "x"));
  EXPECT_FALSE(has_part(signed_bytes, Kind::kHeader, "A-"));
  EXPECT_FALSE(has_part(signed_bytes, Kind::kTimestamp, ""));
}

constexpr std::string_view kKey = "0123456789abcdef";

std::string digest_of(std::string_view text, Headers headers, const Body& body) {
  SignedTemplate signed_bytes;
  ConfigError error;
  MacKey key;
  uint8_t out[kMaxMacSize];
  const bool good = parse_template(text, &signed_bytes, &error) &&
                    key.init(MacAlgorithm::kHmacSha256, kKey) &&
                    digest(signed_bytes, "1614265330", headers, body, &key, out);
  key.destroy();
  return good ? hex({reinterpret_cast<char*>(out), 32}) : "failed";
}

TEST(SignedTemplate, DigestsTheBytesThatTheTemplateNames) {
  const HeaderField fields[] = {{"Webhook-Id", "msg_1"}, {"B", ""}};
  const Headers headers = {fields, 2};
  const std::string body = "{\"a\": \"\xf0\x9f\x98\x80\"}\r\n\0"s;
  const struct {
    const char* text;
    std::string expected;
  } cases[] = {
      {"{body}", body},
      {"v0:{ts}:{body}", "v0:1614265330:" + body},
      {"{header:webhook-id}.{ts}.{body}", "msg_1.1614265330." + body},
      {"{body}{header:B}{header:C}|{ts}\n", body + "|1614265330\n"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(digest_of(c.text, headers, Pieces(body).body()), hex(hmac(kKey, c.expected)));
  }
  EXPECT_EQ(digest_of("{ts}.{body}", headers, Body()), hex(hmac(kKey, "1614265330.")));
}

// A character of several bytes cut in two by the network changes nothing.
TEST(SignedTemplate, R10_TheBodyMayBeCutAnywhere) {
  const std::string body = "{\"name\":\"\xe2\x82\xac\xf0\x9f\x98\x80\"}";
  const std::string whole = hex(hmac(kKey, "1614265330." + body));
  for (size_t first = 0; first <= body.size(); ++first) {
    for (size_t second = first; second <= body.size(); ++second) {
      const Pieces pieces(body, {first, second});
      EXPECT_EQ(digest_of("{ts}.{body}", {}, pieces.body()), whole);
    }
  }
  EXPECT_EQ(Pieces(body, {3, 3, 9}).body().size(), body.size());
}

TEST(SignedTemplate, DigestFailsWithoutAKey) {
  SignedTemplate signed_bytes;
  ConfigError error;
  ASSERT_TRUE(parse_template("{body}", &signed_bytes, &error));
  MacKey key;
  uint8_t out[kMaxMacSize];
  ASSERT_FALSE(key.init(static_cast<MacAlgorithm>(9), kKey));
  EXPECT_FALSE(digest(signed_bytes, "", {}, Pieces("x").body(), &key, out));
  key.destroy();
}

}  // namespace
}  // namespace webhook::test
