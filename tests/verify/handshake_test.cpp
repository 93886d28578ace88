#include "ngx_webhook_module/verify/handshake.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

std::string echo_of(const Provider& provider, const std::string& body) {
  TestArena arena;
  std::string_view echo;
  const Pieces pieces(body, {body.size() / 2});
  return is_handshake(provider, pieces.body(), arena.get(), &echo) ? std::string(echo) : "none";
}

TEST(Handshake, R17_EchoesSlacksChallenge) {
  const Providers slack = shipped("slack");
  const struct {
    const char* body;
    const char* expected;
  } cases[] = {
      {R"({"token":"x","challenge":"3eZbrw1a","type":"url_verification"})", "3eZbrw1a"},
      {R"({"type":"url_verification","challenge":"a\r\nX-Evil: 1"})", "a\r\nX-Evil: 1"},
      {R"({"type":"url_verification","challenge":17})", "17"},
      {R"({"type":"url_verification"})", "none"},
      {R"({"type":"url_verification","challenge":null})", "none"},
      {R"({"type":"url_verification","challenge":{"a":1}})", "none"},
      {R"({"type":"event_callback","challenge":"x"})", "none"},
      {R"({"type":"URL_VERIFICATION","challenge":"x"})", "none"},
      {R"({"type":"event_callback","type":"url_verification","challenge":"x"})", "none"},
      {R"({"event":{"type":"url_verification"},"challenge":"x"})", "none"},
      {R"({"challenge":"x"})", "none"},
      {R"({"type":"url_verification","challenge":"x"}trailing)", "none"},
      {R"(type=url_verification&challenge=x)", "none"},
      {"", "none"},
  };
  for (const auto& c : cases) EXPECT_EQ(echo_of(slack[0], c.body), c.expected) << c.body;
}

TEST(Handshake, ABigBodyIsAnEvent) {
  const Providers slack = shipped("slack");
  const std::string body = R"({"type":"url_verification","challenge":"x"})";
  const std::string blanks(kMaxHandshakeBody - body.size(), ' ');
  EXPECT_EQ(echo_of(slack[0], body + blanks), "x");
  EXPECT_EQ(echo_of(slack[0], body + blanks + " "), "none");
}

TEST(Handshake, ProvidersWithoutOneHaveNone) {
  for (const char* name : {"stripe", "github", "shopify", "standard-webhooks"}) {
    const Providers providers = shipped(name);
    EXPECT_EQ(echo_of(providers[0], R"({"type":"url_verification","challenge":"x"})"), "none");
  }
}

TEST(Handshake, LackOfMemoryIsNoHandshake) {
  const Providers slack = shipped("slack");
  for (size_t allocations : {0, 1}) {
    TestArena arena(allocations);
    std::string_view echo;
    const Pieces pieces(R"({"type":"url_verification","challenge":"x"})");
    EXPECT_FALSE(is_handshake(slack[0], pieces.body(), arena.get(), &echo));
  }
}

// The order that the module keeps: nothing is echoed before verify() says yes.
TEST(Handshake, R17_OnlyWhenSignedAndFresh) {
  const Providers slack = shipped("slack");
  TestSecrets secrets("a 8f742231b10e8888abcd99yyyzzz85a5", slack[0]);
  ASSERT_TRUE(secrets.good()) << secrets.error();
  Delivery delivery;
  delivery.now_ms = 1614265330000;
  delivery.body = R"({"type":"url_verification","challenge":"x"})";
  delivery.headers = {{"Content-Type", "application/json"},
                      {"X-Slack-Request-Timestamp", "1614265330"},
                      {"X-Slack-Signature", "v0=" + hex(hmac("8f742231b10e8888abcd99yyyzzz85a5",
                                                             "v0:1614265330:" + delivery.body))}};
  EXPECT_EQ(judge(slack[0], delivery, secrets.set()), Reason::kNone);
  Delivery late = delivery;
  late.now_ms += 300001;
  EXPECT_EQ(judge(slack[0], late, secrets.set()), Reason::kStale);
  Delivery other = delivery;
  other.body = R"({"type":"url_verification","challenge":"y"})";
  EXPECT_EQ(judge(slack[0], other, secrets.set()), Reason::kSignatureMismatch);
  Delivery unsigned_one = delivery;
  unsigned_one.erase("X-Slack-Signature");
  EXPECT_EQ(judge(slack[0], unsigned_one, secrets.set()), Reason::kSignatureMissing);
}

}  // namespace
}  // namespace webhook::test
