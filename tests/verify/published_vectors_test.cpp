// What providers publish themselves (R61): tests/vectors/NAME.json.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

std::string decoded(const std::string& text) {
  std::string bytes(text.size(), '\0');
  size_t size = 0;
  if (!decode(Encoding::kBase64, text, reinterpret_cast<uint8_t*>(bytes.data()), bytes.size(),
              &size)) {
    throw std::runtime_error("not base64: " + text);
  }
  bytes.resize(size);
  return bytes;
}

void expect_vectors(const std::string& name, size_t at_least) {
  const Providers providers = shipped(name);
  ASSERT_TRUE(providers.good()) << providers.error();
  const auto vectors =
      nlohmann::json::parse(read_file(source_path("tests/vectors/" + name + ".json")));
  EXPECT_GE(vectors.size(), at_least);
  for (const auto& vector : vectors) {
    const std::string secret = vector.at("secret");
    // A secret file cannot hold a blank, a published secret does.
    const bool blank = contains(secret, " ");
    TestSecrets secrets("a " + (blank ? "0123456789abcdef" : secret), providers[0], 1);
    ASSERT_TRUE(secrets.good()) << secrets.error();
    if (blank) {
      MacKey* key = &secrets.set()->secrets[0].key;
      key->destroy();
      ASSERT_TRUE(key->init(providers[0].algorithm, secret));
    }
    Delivery delivery;
    for (const auto& [header, value] : vector.at("headers").items()) delivery.set(header, value);
    delivery.erase("Content-Type");
    delivery.set("Content-Type", "application/json");
    delivery.body = decoded(vector.at("body"));
    delivery.now_ms = vector.at("now").get<int64_t>() * 1000;
    const Reason reason = judge(providers[0], delivery, secrets.set());
    const bool valid = vector.at("expect") == "valid";
    EXPECT_EQ(reason == Reason::kNone, valid) << vector.at("name") << " " << name_of(reason);
  }
}

TEST(PublishedVectors, R61_Stripe) {
  expect_vectors("stripe", 3);
}
TEST(PublishedVectors, R61_GitHub) {
  expect_vectors("github", 2);
}
TEST(PublishedVectors, R61_Slack) {
  expect_vectors("slack", 2);
}
TEST(PublishedVectors, R61_StandardWebhooks) {
  expect_vectors("standard-webhooks", 2);
}

}  // namespace
}  // namespace webhook::test
