#include "ngx_webhook_module/verify/json_find.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

// The value at each pointer: its text, "-" when it is missing; "refused" alone
// when the body is.
std::vector<std::string> found(const Body& body, const std::vector<std::string>& pointers,
                               size_t allocations = SIZE_MAX) {
  TestArena arena(allocations);
  const std::vector<std::string_view> views(pointers.begin(), pointers.end());
  std::vector<JsonValue> values(pointers.size());
  if (!json_find(body, views.data(), views.size(), arena.get(), values.data())) return {"refused"};
  std::vector<std::string> texts;
  for (const JsonValue& value : values) texts.emplace_back(value.present ? value.text : "-");
  return texts;
}

std::string found(const std::string& json, const std::string& pointer) {
  return found(Pieces(json).body(), {pointer})[0];
}

TEST(JsonFind, PointersLeadToScalars) {
  const struct {
    const char* json;
    const char* pointer;
    const char* expected;
  } cases[] = {
      {R"({"id":"evt_1"})", "/id", "evt_1"},
      {R"({"id":""})", "/id", ""},
      {R"({"a":{"b":{"c":1}}})", "/a/b/c", "1"},
      {R"({"a":{"x":0},"b":1})", "/b", "1"},
      {R"({"x":{"id":1},"id":2})", "/id", "2"},
      {R"({"":3})", "/", "3"},
      {R"({"":{"":4}})", "//", "4"},
      {R"({"a/b":5,"m~n":6})", "/a~1b", "5"},
      {R"({"a/b":5,"m~n":6})", "/m~0n", "6"},
      {R"({"~1":7})", "/~01", "7"},
      {R"({"a":[10,11,[12]]})", "/a/1", "11"},
      {R"({"a":[10,11,[12]]})", "/a/2/0", "12"},
      {R"([{"id":1},{"id":2}])", "/1/id", "2"},
      {R"([{"0":1}])", "/0/0", "1"},
      {R"({"0":8})", "/0", "8"},
      {R"({"a":true,"b":false})", "/a", "true"},
      {R"({"a":true,"b":false})", "/b", "false"},
      {R"({"a":-1.50e+10})", "/a", "-1.50e+10"},
      {R"({"a":123456789012345678901234567890})", "/a", "123456789012345678901234567890"},
      {R"({"a":1e999})", "/a", "1e999"},
      {R"({"a":"\u00e9\n\"\\\/\ud83d\ude00"})", "/a", "\xc3\xa9\n\"\\/\xf0\x9f\x98\x80"},
      {R"({"\u0069d":"x"})", "/id", "x"},
      {" { \"a\" :\t1 } \r\n", "/a", "1"},
  };
  for (const auto& c : cases) EXPECT_EQ(found(c.json, c.pointer), c.expected) << c.json;
  EXPECT_EQ(found("{\"a\":\"\\u0000b\"}", "/a"), "\0b"s);
}

TEST(JsonFind, WhatIsNoScalarOrNotThereIsMissing) {
  const struct {
    const char* json;
    const char* pointer;
  } cases[] = {
      {R"({"id":null})", "/id"},
      {R"({"id":{}})", "/id"},
      {R"({"id":{"":1}})", "/id"},
      {R"({"id":[1]})", "/id"},
      {R"({"id":[]})", "/id"},
      {R"({"id":{"id":1}})", "/id"},
      {R"({"ID":1})", "/id"},
      {R"({"ids":1})", "/id"},
      {R"({"i":1})", "/id"},
      {R"({"a":1})", "/a/b"},
      {R"({"a":[1]})", "/a/1"},
      {R"({"a":[1]})", "/a/-"},
      {R"({"a":[1]})", "/a/00"},
      {R"({"a":[1,2]})", "/a/01"},
      {R"({"a":[1]})", "/a/"},
      {R"({"a":[1]})", "/a/x"},
      {R"({"a":[1]})", "/a/ 0"},
      {R"({"a":[1]})", "/a/0000000000"},
      {R"({"a":[[1]]})", "/a/1/0"},
      {R"({"a":[0]})", "/a/4294967296"},
      {R"("id")", "/id"},
      {"1", "/0"},
      {"[]", "/0"},
      {R"({"x":{"id":1}})", "/id"},
      {R"({"a":{"b":1},"c":{"d":2}})", "/a/d"},
      {R"({"a/b":1})", "/a/b"},
      {R"({"a":{"b":[]}})", "/a/b/0"},
  };
  for (const auto& c : cases) EXPECT_EQ(found(c.json, c.pointer), "-") << c.json << c.pointer;
}

TEST(JsonFind, OfTheSameNameTheFirstCounts) {
  EXPECT_EQ(found(R"({"id":1,"id":2})", "/id"), "1");
  EXPECT_EQ(found(R"({"id":null,"id":2})", "/id"), "-");
  EXPECT_EQ(found(R"({"id":{},"id":2})", "/id"), "-");
  EXPECT_EQ(found(R"({"id":1,"\u0069d":2})", "/id"), "1");
  EXPECT_EQ(found(R"({"a":{"b":1},"a":{"b":2}})", "/a/b"), "1");
  EXPECT_EQ(found(R"({"a":{"x":1},"a":{"b":2}})", "/a/b"), "-");
  EXPECT_EQ(found(R"({"a":{},"a":{"b":2}})", "/a/b"), "-");
  EXPECT_EQ(found(R"({"a":1,"a":{"b":2}})", "/a/b"), "-");
  EXPECT_EQ(found(R"({"a":{"b":{"c":1},"b":{"c":2}}})", "/a/b/c"), "1");
  EXPECT_EQ(found(R"([{"a":{}},{"a":{"b":1}}])", "/0/a/b"), "-");
}

TEST(JsonFind, ManyPointersInOnePass) {
  const std::string json = R"({"id":"e","data":{"object":{"id":"o","v":7}},"type":"t"})";
  EXPECT_EQ(found(Pieces(json).body(),
                  {"/type", "/data/object/id", "/id", "/data/object/v", "/data", "/id", "/none"}),
            (std::vector<std::string>{"t", "o", "e", "7", "-", "e", "-"}));
  EXPECT_EQ(found(Pieces(json).body(), {}), std::vector<std::string>{});
  EXPECT_EQ(found(Pieces(json).body(), std::vector<std::string>(24, "/id")),
            std::vector<std::string>(24, "e"));
  EXPECT_EQ(found(Pieces(json).body(), std::vector<std::string>(25, "/id"))[0], "refused");
}

TEST(JsonFind, R15_OneJsonTextInUtf8AndNoMore) {
  const std::string texts[] = {
      "", " ", "{", "[", "{\"id\":1", "{\"id\":1}}", "{\"id\":1} x", "{}{}", "1 1", "[1]]", "[}",
      "{\"id\":1,}", "[1,]", "{\"id\" 1}", "{id:1}", "{'id':1}", "/*c*/{}", "{}//c", "nul", "True",
      "NaN", "[Infinity]", "01", "[01]", "[1.]", "[.5]", "[-]", "[+1]", "[1e]", "[0x1]", "[\"a]",
      "[\"\\x\"]", "[\"\\u12\"]", "[\"\\u12g4\"]", "[\"\t\"]", "[\"\n\"]", "{\"id\":\"\0\"}"s,
      "\0{}"s, "{}\0"s, "\xef\xbb\xbf{}",
      // invalid UTF-8, overlong forms, surrogates, past U+10FFFF; in values and in names
      "[\"\xff\"]", "[\"\x80\"]", "[\"\xe2\x82\"]", "[\"\xc0\x80\"]", "[\"\xe0\x80\x80\"]",
      "[\"\xed\xa0\x80\"]", "[\"\xf4\x90\x80\x80\"]", "[\"\xf8\x88\x80\x80\x80\"]",
      "{\"\xc0\xae\":1}", "{\"\xff\":1}", "[\"\\udc00\"]"};
  for (const std::string& text : texts) EXPECT_EQ(found(text, "/id"), "refused") << text;
}

TEST(JsonFind, NestsTo512) {
  auto arrays = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(found(arrays(512), "/id"), "-");
  EXPECT_EQ(found(arrays(513), "/id"), "refused");
  EXPECT_EQ(found(std::string(1000000, '['), "/id"), "refused");
  std::string objects = "1", pointer;
  for (int i = 0; i < 512; ++i) objects = "{\"a\":" + objects + "}";
  for (int i = 0; i < 100; ++i) pointer += "/a";
  EXPECT_EQ(found(objects, pointer), "-");
  EXPECT_EQ(found("{\"a\":" + objects + "}", "/a"), "refused");
  EXPECT_EQ(found(R"({"x":)" + arrays(511) + R"(,"id":1})", "/id"), "1");
}

TEST(JsonFind, TheBodyMayBeCutAnywhere) {
  const std::string json = R"({"a~/":{"b":[true,-12.5e3,"\ud83d\ude00\n)"
                           "\xf0\x9f\x98\x80"
                           R"("]},"id":"x","n":123})";
  const std::vector<std::string> pointers = {"/a~0~1/b/0", "/a~0~1/b/1", "/a~0~1/b/2", "/id", "/n"};
  const std::vector<std::string> expected = {"true", "-12.5e3",
                                             "\xf0\x9f\x98\x80\n\xf0\x9f\x98\x80", "x", "123"};
  for (size_t first = 0; first <= json.size(); ++first) {
    for (size_t second = first; second <= json.size(); ++second) {
      const Pieces pieces(json, {first, second});
      ASSERT_EQ(found(pieces.body(), pointers), expected) << first << " " << second;
    }
  }
  EXPECT_EQ(found(Pieces("12", {1}).body(), {"/id"})[0], "-");
  EXPECT_EQ(found(Body(), {"/id"})[0], "refused");
}

TEST(JsonFind, LackOfMemoryRefuses) {
  EXPECT_EQ(found(Pieces(R"({"id":1})").body(), {"/id"}, 0)[0], "refused");
  EXPECT_EQ(found(Pieces(R"({"id":1})").body(), {"/id"}, 1)[0], "1");
}

TEST(JsonFind, ALongStringIsFound) {
  const std::string text(1 << 20, 'x');
  EXPECT_EQ(found("{\"id\":\"" + text + "\"}", "/id"), text);
}

}  // namespace
}  // namespace webhook::test
