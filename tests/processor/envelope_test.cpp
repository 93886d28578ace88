#include "processor/accept/envelope.h"

#include <gtest/gtest.h>

#include "processor/accept/timestamp.h"

namespace webhook {
namespace {

using Refusal = Reason;

v1::Source json(const std::string& pointer) {
  v1::Source source;
  source.set_kind(v1::Source::KIND_JSON);
  source.set_name(pointer);
  return source;
}

v1::Source header(const std::string& name) {
  v1::Source source;
  source.set_kind(v1::Source::KIND_HEADER);
  source.set_name(name);
  return source;
}

void add_choice(v1::Field& field, std::vector<v1::Source> parts, v1::Join join = v1::JOIN_NONE) {
  v1::Choice& choice = *field.add_choices();
  choice.set_join(join);
  for (const v1::Source& part : parts) *choice.add_parts() = part;
}

// Reads one event with a spec under construction.
class EnvelopeTest : public ::testing::Test {
 protected:
  EnvelopeTest() { add_choice(*spec_.mutable_event_id(), {json("/id")}); }

  tl::expected<Envelope, Reason> read(const std::string& body) {
    const auto spec = decode_event_spec(spec_.SerializeAsString());
    EXPECT_TRUE(spec);
    const std::string padded = body + std::string(64, '\0');
    return read_envelope(*spec, event_, std::string_view(padded).substr(0, body.size()), json_);
  }

  std::string id_of(const std::string& body) {
    const auto envelope = read(body);
    return envelope ? envelope->event_id : std::string("refused: ") + reason_name(envelope.error());
  }

  void add_header(const std::string& name, const std::string& value) {
    v1::Header& added = *event_.add_headers();
    added.set_name(name);
    added.set_value(value);
  }

  v1::EventSpec spec_;
  v1::Event event_;
  JsonFields json_;
};

TEST_F(EnvelopeTest, TakesScalarsExactly) {
  EXPECT_EQ(id_of(R"({"id":"evt_1"})"), "evt_1");
  EXPECT_EQ(id_of(R"({"id":42})"), "42");
  EXPECT_EQ(id_of(R"({"id":-0})"), "-0");
  EXPECT_EQ(id_of(R"({"id":true})"), "true");
  EXPECT_EQ(id_of(R"({"id":9007199254740993})"), "9007199254740993");
  EXPECT_EQ(id_of(R"({"id":123456789012345678901234567890})"), "123456789012345678901234567890");
  EXPECT_EQ(id_of(R"({"id":1.50e400 })"), "1.50e400");
  EXPECT_EQ(id_of(R"({"id":"a\u00e9\n\ud83d\ude00"})"), "a\u00e9\n\U0001F600");
}

TEST_F(EnvelopeTest, WhatIsNoScalarIsMissing) {
  const std::string missing = "refused: event_id_missing";
  for (const char* body : {R"({})", R"([])", R"({"id":null})", R"({"id":{}})", R"({"id":[1]})",
                           R"({"id":""})", R"({"ID":"x"})", R"({"x":{"id":"y"}})"}) {
    EXPECT_EQ(id_of(body), missing) << body;
  }
}

TEST_F(EnvelopeTest, TheFirstOfTwoEqualKeysCounts) {
  EXPECT_EQ(id_of(R"({"id":"first","id":"second"})"), "first");
  EXPECT_EQ(id_of(R"({"\u0069d":"first","id":"second"})"), "first");
  EXPECT_EQ(id_of(R"({"id":null,"id":"second"})"), "refused: event_id_missing");
}

TEST_F(EnvelopeTest, FollowsPointers) {
  spec_.clear_event_id();
  add_choice(*spec_.mutable_event_id(), {json("/a~1b/m~0n/1/x")});
  EXPECT_EQ(id_of(R"({"a/b":{"m~n":[{"x":"zero"},{"x":"one"}]}})"), "one");
  // The first "a/b" is the one, though only the second has the rest.
  EXPECT_EQ(id_of(R"({"a/b":1,"a/b":{"m~n":[0,{"x":"one"}]}})"), "refused: event_id_missing");
  EXPECT_EQ(id_of(R"({"a/b":{"m~n":{"1":{"x":"key"}}}})"), "key");
  EXPECT_EQ(id_of(R"({"a/b":{"m~n":[]}})"), "refused: event_id_missing");
}

TEST_F(EnvelopeTest, ParsesNoBodyThatItDoesNotNeed) {
  spec_.clear_event_id();
  add_choice(*spec_.mutable_event_id(), {header("X-Event-Id")});
  add_header("x-eVENT-iD", "h1");
  EXPECT_EQ(id_of("this is no JSON"), "h1");
}

TEST_F(EnvelopeTest, TheFirstPresentChoiceWins) {
  spec_.clear_event_id();
  add_choice(*spec_.mutable_event_id(), {header("X-Id")});
  add_choice(*spec_.mutable_event_id(), {json("/event/id")});
  add_choice(*spec_.mutable_event_id(), {json("/id")});
  EXPECT_EQ(id_of(R"({"id":"c","event":{"id":"b"}})"), "b");
  EXPECT_EQ(id_of(R"({"id":"c","event":{}})"), "c");
  add_header("X-ID", "a");
  EXPECT_EQ(id_of(R"({"id":"c","event":{"id":"b"}})"), "a");
}

TEST_F(EnvelopeTest, JoinsDottedWhatIsThere) {
  add_choice(*spec_.mutable_event_type(), {header("X-GitHub-Event"), json("/action")},
             v1::JOIN_DOTTED);
  EXPECT_EQ(read(R"({"id":1})")->event_type, "");
  EXPECT_EQ(read(R"({"id":1,"action":"opened"})")->event_type, "opened");
  add_header("X-GitHub-Event", "issues");
  EXPECT_EQ(read(R"({"id":1,"action":"opened"})")->event_type, "issues.opened");
  EXPECT_EQ(read(R"({"id":1})")->event_type, "issues");
}

TEST_F(EnvelopeTest, JoinsConcatWithLengths) {
  spec_.clear_event_id();
  add_choice(*spec_.mutable_event_id(), {json("/a"), json("/b")}, v1::JOIN_CONCAT);
  EXPECT_EQ(id_of(R"({"a":"ab","b":"c"})"), "2:ab1:c");
  EXPECT_EQ(id_of(R"({"a":"a","b":"bc"})"), "1:a2:bc");
  EXPECT_EQ(id_of(R"({"a":"a"})"), "refused: event_id_missing");
}

TEST_F(EnvelopeTest, RequiredFieldsRefuse) {
  add_choice(*spec_.mutable_account(), {json("/account")});
  EXPECT_TRUE(read(R"({"id":1})"));
  spec_.mutable_account()->set_required(true);
  EXPECT_EQ(read(R"({"id":1})").error(), Reason::kFieldMissing);
  EXPECT_EQ(read(R"({"id":1,"account":"a"})")->account, "a");
}

TEST_F(EnvelopeTest, BoundsFields) {
  const std::string fits(255, 'x');
  EXPECT_EQ(id_of(R"({"id":")" + fits + R"("})"), fits);
  EXPECT_EQ(id_of(R"({"id":")" + fits + R"(x"})"), "refused: field_invalid");
  EXPECT_EQ(id_of(R"({"id":"a\u0000b"})"), "refused: field_invalid");
  spec_.clear_event_id();
  add_choice(*spec_.mutable_event_id(), {header("X-Id")});
  add_header("X-Id", "\xc3\x28");
  EXPECT_EQ(id_of(""), "refused: field_invalid");
}

TEST_F(EnvelopeTest, RefusesWhatIsNoJson) {
  for (const std::string body : {R"()",
                                 R"( )",
                                 R"({"id":"x")",
                                 R"({"id":"x"}})",
                                 R"({"id":"x"} 1)",
                                 R"({"id":"x",})",
                                 R"({"id" "x"})",
                                 R"({"id":"x" "a":1})",
                                 R"([1 2])",
                                 R"([1,,2])",
                                 R"({"id":tru})",
                                 R"({"id":truee})",
                                 R"({"id":nul})",
                                 R"({"id":01})",
                                 R"({"id":1.})",
                                 R"({"id":+1})",
                                 R"({"id":.5})",
                                 R"({"id":1e})",
                                 R"({"id":NaN})",
                                 R"({"id":"x","a":"\q"})",
                                 R"({"id":"x","a":"\u12g4"})",
                                 R"({"id":"x","\q":1})",
                                 R"({'id':'x'})",
                                 R"("just text")",
                                 "{\"id\":\"x\",\"a\":\"\x01\"}",
                                 "{\"id\":\"x\",\"a\":\"\xff\"}",
                                 "{\"id\":\"\xc3\"}"}) {
    EXPECT_EQ(id_of(body), "refused: body_malformed") << body;
  }
}

TEST_F(EnvelopeTest, BoundsNesting) {
  const auto nested = [](size_t depth) {
    return R"({"id":"x","a":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(id_of(nested(100)), "x");
  EXPECT_EQ(id_of(nested(JsonFields::kMaxDepth + 1)), "refused: body_malformed");
  EXPECT_EQ(id_of(nested(400'000)), "refused: body_malformed");
  EXPECT_EQ(id_of(R"({"id":"x","a":)" + std::string(100'000, '[') + "}"),
            "refused: body_malformed");
}

// Truncated emoji are in real payloads; they must not cost the event.
TEST_F(EnvelopeTest, ToleratesALoneSurrogateElsewhere) {
  EXPECT_EQ(id_of(R"({"title":"cut \ud83d","id":"x"})"), "x");
  EXPECT_EQ(id_of(R"({"\ud83d":1,"id":"x"})"), "x");
  EXPECT_EQ(id_of(R"({"id":"\ud83d","b":2})"), "refused: event_id_missing");
}

TEST_F(EnvelopeTest, AnUnreadableTimeIsAbsent) {
  add_choice(*spec_.mutable_created_at(), {json("/created")});
  spec_.mutable_created_at()->set_unit(v1::TIME_UNIT_SECONDS);
  EXPECT_EQ(read(R"({"id":1,"created":1700000000})")->created_at_ms, 1'700'000'000'000);
  EXPECT_EQ(read(R"({"id":1,"created":"soon"})")->created_at_ms, std::nullopt);
  EXPECT_EQ(read(R"({"id":1})")->created_at_ms, std::nullopt);
}

TEST(Timestamp, Units) {
  const auto seconds = [](const char* text) {
    return parse_timestamp(text, v1::TIME_UNIT_SECONDS);
  };
  EXPECT_EQ(seconds("1355517523"), 1'355'517'523'000);
  EXPECT_EQ(seconds("1355517523.25"), std::nullopt);
  EXPECT_EQ(seconds("99999999999999999999"), std::nullopt);
  EXPECT_EQ(seconds("-5"), std::nullopt);
  EXPECT_EQ(seconds(""), std::nullopt);
  EXPECT_EQ(parse_timestamp("1700000000123", v1::TIME_UNIT_MILLISECONDS), 1'700'000'000'123);
}

TEST(Timestamp, Rfc3339) {
  const auto time = [](const char* text) { return parse_timestamp(text, v1::TIME_UNIT_RFC3339); };
  EXPECT_EQ(time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(time("2023-11-14T22:13:20Z"), 1'700'000'000'000);
  EXPECT_EQ(time("2023-11-15T00:13:20.5+02:00"), 1'700'000'000'500);
  EXPECT_EQ(time("2024-02-29T00:00:00Z"), 1'709'164'800'000);
  for (const char* bad :
       {"2023-02-29T00:00:00Z", "2023-11-14T22:13:20", "2023-11-14", "", "2023-11-14T24:00:00Z",
        "2023-11-14T22:13:20Zx", "-123-11-14T22:13:20Z", "2023-11-14T22:13:20.Z"}) {
    EXPECT_EQ(time(bad), std::nullopt) << bad;
  }
}

TEST(EventSpec, RefusesWhatItCannotFollow) {
  EXPECT_FALSE(decode_event_spec("\xff"));
  v1::EventSpec spec;
  add_choice(*spec.mutable_event_id(), {json("no-slash")});
  EXPECT_FALSE(decode_event_spec(spec.SerializeAsString()));
  spec.clear_event_id();
  add_choice(*spec.mutable_event_id(), {json("/bad~2escape")});
  EXPECT_FALSE(decode_event_spec(spec.SerializeAsString()));
  spec.clear_event_id();
  add_choice(*spec.mutable_event_id(), {});
  EXPECT_FALSE(decode_event_spec(spec.SerializeAsString()));
}

TEST(EventSpecCache, DecodesEqualBytesOnceAndStaysBounded) {
  EventSpecCache cache;
  v1::EventSpec spec;
  spec.set_redelivery_s(5);
  const auto first = cache.get(spec.SerializeAsString());
  EXPECT_EQ(first, cache.get(spec.SerializeAsString()));
  for (uint32_t i = 0; i < 2 * EventSpecCache::kMaxSpecs; ++i) {
    spec.set_redelivery_s(1000 + i);
    EXPECT_EQ(cache.get(spec.SerializeAsString())->redelivery_ms, (1000 + i) * int64_t{1000});
  }
  EXPECT_EQ(cache.get("\xff"), nullptr);
}

}  // namespace
}  // namespace webhook
