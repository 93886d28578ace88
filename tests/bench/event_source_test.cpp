#include "bench/event_source.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "ngx_webhook_module/verify/text.h"
#include "webhookctl/failure.h"
#include "webhookctl/provider_catalog.h"

namespace webhook::bench {
namespace {

using nlohmann::json;

// What a server would see of a request.
struct Received {
  std::string id;
  std::string signature;
  std::string body;
};

std::string header_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    std::string_view value = trim(take_until(&head, '\n'));
    if (equal_ignoring_case(take_until(&value, ':'), name)) {
      return std::string(trim(slice(value, 0, value.size() - 1)));
    }
  }
  return {};
}

Received parse(std::string_view wire) {
  const size_t end = wire.find("\r\n\r\n");
  const std::string_view head = slice(wire, 0, end + 2);
  Received received = {header_of(head, "X-GitHub-Delivery"), header_of(head, "X-Hub-Signature-256"),
                       std::string(wire.substr(end + 4))};
  EXPECT_EQ(header_of(head, "Content-Length"), std::to_string(received.body.size()));
  return received;
}

class EventSourceTest : public testing::Test {
 protected:
  EventSourceTest() { EXPECT_TRUE(key_.init(MacAlgorithm::kHmacSha256, "secret")); }
  ~EventSourceTest() override { key_.destroy(); }

  EventSource source(const std::vector<Payload>& corpus, double duplicates = 0) {
    return {catalog_.find("github"), &key_, parse_target("http://127.0.0.1/"), corpus, duplicates};
  }

  std::string signature_of(std::string_view body) {
    uint8_t mac[kMaxMacSize];
    EXPECT_TRUE(key_.begin() && key_.update(body) && key_.finish(mac));
    std::string text = "sha256=";
    for (size_t i = 0; i < mac_size(MacAlgorithm::kHmacSha256); ++i) {
      char digits[3];
      std::snprintf(digits, sizeof(digits), "%02x", mac[i]);
      text += digits;
    }
    return text;
  }

  const ProviderCatalog catalog_{WEBHOOK_SOURCE_DIR "/providers"};
  MacKey key_;
};

TEST_F(EventSourceTest, EveryEventHasAnIdABodyAndASignatureOfItsOwn) {
  EventSource events = source({{"push", R"({"a":1})"}, {"ping", R"({"b":[2]})"}});
  std::set<std::string> ids, signatures, bodies;
  for (int i = 0; i < 100; ++i) {
    std::string wire;
    const size_t size = events.next(&wire);
    const Received event = parse(wire);
    EXPECT_EQ(size, event.body.size());
    EXPECT_EQ(event.signature, signature_of(event.body));
    EXPECT_EQ(json::parse(event.body)["bench_delivery"], event.id);
    ids.insert(event.id);
    signatures.insert(event.signature);
    bodies.insert(event.body);
  }
  EXPECT_EQ(ids.size(), 100u);
  EXPECT_EQ(signatures.size(), 100u);
  EXPECT_EQ(bodies.size(), 100u);
}

TEST_F(EventSourceTest, ACopyIsTheSameToTheLastByte) {
  EventSource events = source({{"push", R"({"a":1})"}, {"ping", R"({"b":2})"}}, 0.5);
  std::set<std::string> ids, requests;
  for (int i = 0; i < 1000; ++i) {
    std::string wire;
    events.next(&wire);
    ids.insert(parse(wire).id);
    requests.insert(wire);
  }
  EXPECT_EQ(requests.size(), ids.size());
  EXPECT_GT(ids.size(), 400u);
  EXPECT_LT(ids.size(), 600u);
}

TEST_F(EventSourceTest, ThePayloadIsOtherwiseLeftAsItIs) {
  for (const char* payload : {R"({})", "{ }", "\n{\n\"a\": {} }\n", R"({"a":"}"})"}) {
    std::string wire;
    source({{"push", payload}}).next(&wire);
    json body = json::parse(parse(wire).body);
    EXPECT_EQ(body.erase("bench_delivery"), 1u);
    EXPECT_EQ(body, json::parse(payload));
  }
}

TEST_F(EventSourceTest, APayloadWithoutPlaceForAnIdIsMisuse) {
  for (const char* payload : {"", " ", "[1]", "text"}) {
    EXPECT_THROW(source({{"push", payload}}), Misuse) << payload;
  }
}

TEST_F(EventSourceTest, AProviderWithTheIdInTheBodyIsMisuse) {
  const Target target = parse_target("http://127.0.0.1/");
  const std::vector<Payload> corpus = {{"push", "{}"}};
  EXPECT_THROW(EventSource(catalog_.find("stripe"), &key_, target, corpus, 0), Misuse);
}

}  // namespace
}  // namespace webhook::bench
