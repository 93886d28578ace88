// Mutations of what is valid, the same ones in every run: nothing here may
// crash, overrun, or be let through. The fuzzers proper are elsewhere.
#include <gtest/gtest.h>

#include <random>

#include "ngx_webhook_module/verify/handshake.h"
#include "ngx_webhook_module/verify/json_find.h"
#include "ngx_webhook_module/verify/source.h"
#include "tests/verify/support.h"

namespace webhook::test {
namespace {

class Mutator {
 public:
  explicit Mutator(std::string_view alphabet) : alphabet_(alphabet) {}

  size_t below(size_t n) { return random_() % n; }

  // One to four changes: a byte replaced, inserted, removed, a piece repeated
  // or the end cut off.
  std::string operator()(std::string text) {
    for (size_t changes = 1 + below(4); changes > 0; --changes) change(&text);
    return text;
  }

 private:
  char byte() {
    return below(4) == 0 ? static_cast<char>(random_()) : alphabet_[below(alphabet_.size())];
  }

  void change(std::string* text) {
    const size_t at = below(text->size() + 1);
    switch (below(5)) {
      case 0: text->insert(at, 1, byte()); break;
      case 1: text->insert(at, text->substr(below(text->size() + 1), 1 + below(20))); break;
      case 2: text->erase(at, 1 + below(3)); break;
      case 3:
        if (below(10) == 0) text->resize(at);
        break;
      default:
        if (at < text->size()) (*text)[at] = byte();
    }
  }

  std::mt19937 random_{20211};
  std::string_view alphabet_;
};

TEST(Mutation, ProviderFiles) {
  Mutator mutated(" \n;{}\"'\\$#()=,:/~ts");
  size_t good = 0;
  for (const char* name : {"stripe", "github", "shopify", "slack", "standard-webhooks"}) {
    const std::string text = read_file(source_path("providers/"s + name + ".conf"));
    for (int i = 0; i < 1500; ++i) {
      const Providers providers(mutated(text));
      EXPECT_NE(providers.good(), !providers.error().empty());
      if (providers.good()) ++good;
    }
  }
  EXPECT_GT(good, 100u);  // of those that hit a comment or a name
}

TEST(Mutation, SecretFiles) {
  Mutator mutated(" \t\r\n#=@-:TZ09from");
  const Providers providers = shipped("stripe");
  const std::string file =
      "# c\n2026-11 S3cr3t-0123456789abcdef\n"
      "2026-05 S3cr3t-fedcba9876543210 from=2020-01-01T00:00:00Z until=2026-12-01T00:00:00Z\n";
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutated(file);
    TestSecrets secrets(text, providers[0]);
    ASSERT_EQ(secrets.good(), secrets.set()->count > 0);
    ASSERT_FALSE(contains(secrets.error(), "S3cr3t")) << text;
  }
}

TEST(Mutation, SourcesTemplatesAndTimes) {
  Mutator mutated("{}:/~,()-+.TZ019");
  for (int i = 0; i < 20000; ++i) {
    ConfigError error;
    Choice choice;
    const Exact word(mutated("concat(header:X-Id,json:/a~0~1/b)"));
    bool good = parse_choice(word, &choice, &error);
    ASSERT_NE(good, error.text[0] != '\0') << word.view();
    error = ConfigError();
    SignedTemplate signed_bytes;
    const Exact text(mutated("v0:{header:X-Id}.{ts}.{body}"));
    good = parse_template(text, &signed_bytes, &error);
    ASSERT_NE(good, error.text[0] != '\0') << text.view();
    int64_t value = 0;
    const Exact time(mutated("2021-02-25T15:02:10.123+01:00"));
    if (parse_time(time, TimeUnit::kRfc3339, &value)) {
      EXPECT_LE(value, 253402387200000);
      EXPECT_GE(value, -62167305600000);
    }
    const Exact number(mutated("1614265330"));
    const bool digits = number.view().find_first_not_of("0123456789") == std::string::npos &&
                        !number.view().empty() && number.view().size() <= 12;
    EXPECT_EQ(parse_time(number, TimeUnit::kSeconds, &value), digits);
  }
}

// Whatever is done to the header, a signature that was not there does not come
// out of it, and neither do more than fit.
TEST(Mutation, SignatureHeaders) {
  Mutator mutated(",= v01t");
  const Providers providers = shipped("stripe");
  const std::string signature = hex(std::string(32, '\x5a'));
  std::string header = "t=1614265330,v1=" + signature + ",v0=00";
  for (int i = 0; i < 20; ++i) header += ",v1=" + signature.substr(0, 8);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutated(header);
    const Exact exact(text);
    Signatures signatures;
    const Reason reason = parse_signatures(providers[0], exact, &signatures);
    ASSERT_LE(signatures.count, Signatures::kMax);
    if (reason == Reason::kNone) {
      ASSERT_GE(signatures.count, 1u);
    }
    std::string_view value;
    if (find_element(providers[0].signature, exact, "t", &value)) {
      ASSERT_TRUE(contains(text, "t"));
    }
  }
}

TEST(Mutation, JsonTexts) {
  Mutator mutated("{}[]\",:\\u0d8 \n");
  const std::string json =
      R"({"id":"evt_1","a":[1,{"b":[true,null,-1.5e3]},"\ud83d\ude00"],"type":"url_verification",)"
      R"("challenge":"x","data":{"object":{"id":"o"}}})";
  const std::string_view pointers[] = {"/id", "/a/1/b/2", "/a/2", "/data/object/id", "/type/x"};
  const Providers slack = shipped("slack");
  size_t good = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutated(json);
    const size_t cut = mutated.below(text.size() + 1);
    TestArena arena;
    JsonValue whole[5], pieces[5];
    const Pieces one(text), two(text, {cut});
    const bool result = json_find(one.body(), pointers, 5, arena.get(), whole);
    ASSERT_EQ(json_find(two.body(), pointers, 5, arena.get(), pieces), result) << text;
    for (int k = 0; result && k < 5; ++k) {
      ASSERT_EQ(whole[k].present, pieces[k].present);
      ASSERT_EQ(whole[k].text, pieces[k].text);
      ASSERT_TRUE(is_valid_utf8(whole[k].text));
    }
    std::string_view echo;
    is_handshake(slack[0], two.body(), arena.get(), &echo);
    if (result) ++good;
  }
  EXPECT_GT(good, 500u);
}

TEST(Mutation, DeliveriesAreNeverLetThrough) {
  Mutator mutated(",=v1t0.9 \n");
  const Providers providers = shipped("standard-webhooks");
  const std::string key = "a key of twenty-four byt";
  TestSecrets secrets("a whsec_" + base64(key), providers[0]);
  Delivery d;
  d.now_ms = 1614265330000;
  d.body = R"({"type":"a"})";
  d.headers = {{"Content-Type", "application/json"},
               {"webhook-id", "msg_1"},
               {"webhook-timestamp", "1614265330"},
               {"webhook-signature", "v1," + base64(hmac(key, "msg_1.1614265330." + d.body))}};
  ASSERT_EQ(judge(providers[0], d, secrets.set()), Reason::kNone);
  for (int i = 0; i < 20000; ++i) {
    Delivery altered = d;
    switch (mutated.below(3)) {
      case 0: altered.set("webhook-id", mutated("msg_1")); break;
      case 1: altered.set("webhook-timestamp", mutated("1614265330")); break;
      default: altered.body = mutated(d.body);
    }
    if (altered.headers == d.headers && altered.body == d.body) continue;
    ASSERT_NE(judge(providers[0], altered, secrets.set()), Reason::kNone) << altered.body;
  }
}

}  // namespace
}  // namespace webhook::test
