#include "webhookctl/event_fields.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "ngx_webhook_module/verify/source.h"
#include "webhookctl/header_list.h"

namespace webhook {
namespace {

Field field_of(std::initializer_list<const char*> choices) {
  Field field;
  for (const char* word : choices) {
    ConfigError error;
    EXPECT_TRUE(parse_choice(word, &field.choices[field.count++], &error)) << error.text;
  }
  return field;
}

std::optional<std::string> read(const Field& field, std::string_view body,
                                std::string_view x = {}) {
  HeaderList headers;
  if (!x.empty()) headers.add("X", x);
  return read_field(field, HeaderView(headers), body);
}

TEST(EventFields, TakeTheFirstChoiceThatIsPresent) {
  const Field field = field_of({"json:/event/type", "json:/type"});
  EXPECT_EQ(read(field, R"({"type":"outer","event":{"type":"inner"}})"), "inner");
  EXPECT_EQ(read(field, R"({"type":"outer","event":{}})"), "outer");
  EXPECT_EQ(read(field, R"({"type":null})"), std::nullopt);
}

TEST(EventFields, EmptyTextIsMissing) {
  EXPECT_EQ(read(field_of({"json:/a", "json:/b"}), R"({"a":"","b":"x"})"), "x");
}

TEST(EventFields, NumbersAreTakenAsWritten) {
  EXPECT_EQ(read(field_of({"json:/id"}), R"({"id":12345678901234567890})"), "12345678901234567890");
}

TEST(EventFields, HeadersAreFoundInAnyCase) {
  EXPECT_EQ(read(field_of({"header:x"}), "", "value"), "value");
}

TEST(EventFields, DottedJoinsThePartsThatArePresent) {
  const Field field = field_of({"dotted(header:X,json:/action)"});
  EXPECT_EQ(read(field, R"({"action":"opened"})", "issues"), "issues.opened");
  EXPECT_EQ(read(field, R"({})", "push"), "push");
  EXPECT_EQ(read(field, R"({"action":"opened"})"), "opened");
  EXPECT_EQ(read(field, R"({})"), std::nullopt);
}

TEST(EventFields, ConcatPutsTheLengthBeforeEveryPart) {
  const Field field = field_of({"concat(json:/a,header:X)"});
  EXPECT_EQ(read(field, R"({"a":"1:2"})", "bc"), "3:1:22:bc");
  EXPECT_EQ(read(field, R"({})", "bc"), std::nullopt);
}

TEST(EventFields, AreNotReadFromABodyThatIsNoJson) {
  const Field field = field_of({"json:/id", "header:X"});
  EXPECT_EQ(read(field, R"({"id":"1"} trailing)", "x"), "x");
  EXPECT_EQ(read(field, R"({"id":"1")", "x"), "x");
}

}  // namespace
}  // namespace webhook
