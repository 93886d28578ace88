#include "ngx_webhook_module/verify/source.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

using Kind = Source::Kind;

TEST(Source, R16_EveryKind) {
  const std::string long_header(128, 'h');
  const std::string long_pointer = "/" + std::string(254, 'p');
  const struct {
    std::string word;
    Kind kind;
    std::string name;
  } cases[] = {
      {"header:X-Id", Kind::kHeader, "X-Id"},
      {"header:!#$%&'*+-.^_`|~", Kind::kHeader, "!#$%&'*+-.^_`|~"},
      {"header:" + long_header, Kind::kHeader, long_header},
      {"json:/id", Kind::kJson, "/id"},
      {"json:/", Kind::kJson, "/"},
      {"json:/a/0/b", Kind::kJson, "/a/0/b"},
      {"json:/~0~1", Kind::kJson, "/~0~1"},
      {"json:/a:b", Kind::kJson, "/a:b"},
      {"json:" + long_pointer, Kind::kJson, long_pointer},
      {"sigkv:t", Kind::kSignatureKey, "t"},
      {"sigkv:a:b", Kind::kSignatureKey, "a:b"},
  };
  for (const auto& c : cases) {
    const Exact word(c.word);
    Source source;
    ConfigError error;
    ASSERT_TRUE(parse_source(word, &source, &error)) << c.word << ": " << error.text;
    EXPECT_EQ(source.kind, c.kind);
    EXPECT_EQ(source.name, c.name);
  }
}

TEST(Source, R16_ErrorsNameTheWordAndTheForms) {
  const std::string words[] = {
      "",
      "header",
      "header:",
      "json",
      "json:",
      "sigkv:",
      "id",
      "/id",
      "query:id",
      "Header:X-Id",
      "header:X Id",
      "header:X-Id:",
      "header:X(Id)",
      "header:X-\xc3\x84",
      "header:X-Id\r\n",
      "header:X\0"s,
      "header:" + std::string(129, 'h'),
      "json:id",
      "json:/~",
      "json:/a~2",
      "json:/~/a",
      "json:/" + std::string(255, 'p'),
  };
  for (const std::string& word : words) {
    Source source;
    ConfigError error;
    EXPECT_FALSE(parse_source(Exact(word), &source, &error)) << word;
    EXPECT_TRUE(contains(error.text, "\"" + word.substr(0, word.find('\0')))) << error.text;
    EXPECT_TRUE(word.find('\0') != word.npos ||
                contains(error.text, "is no source; write header:NAME, json:/POINTER or sigkv:KEY"))
        << error.text;
  }
}

// "header:A+json:/b" and so on, as a choice shows itself.
std::string shown(const Choice& choice) {
  std::string text = choice.join == Join::kDotted ? "dotted" : "concat";
  if (choice.join == Join::kNone) text = "single";
  for (size_t i = 0; i < choice.count; ++i) {
    text += choice.parts[i].kind == Kind::kHeader ? " header:" : " json:";
    text += choice.parts[i].name;
  }
  return text;
}

TEST(Source, R16_Choices) {
  const struct {
    const char* word;
    const char* expected;
  } cases[] = {
      {"json:/id", "single json:/id"},
      {"header:X", "single header:X"},
      {"json:/a(b)", "single json:/a(b)"},
      {"dotted(header:X-GitHub-Event,json:/action)", "dotted header:X-GitHub-Event json:/action"},
      {"concat(json:/a)", "concat json:/a"},
      {"concat(json:/a,json:/b,header:C,json:/d)", "concat json:/a json:/b header:C json:/d"},
      {"dotted(json:/a(1))", "dotted json:/a(1)"},
  };
  Choice choice;
  for (const auto& c : cases) {
    const Exact word(c.word);
    ConfigError error;
    ASSERT_TRUE(parse_choice(word, &choice, &error)) << error.text;
    EXPECT_EQ(shown(choice), c.expected);
  }
}

TEST(Source, R16_ChoicesThatAreRefused) {
  const struct {
    const char* word;
    const char* sentence;
  } cases[] = {
      {"dotted", "\"dotted\" is not closed; write dotted(SOURCE,...)"},
      {"dotted(", "\"dotted(\" is not closed; write dotted(SOURCE,...)"},
      {"concat(json:/a", "\"concat(json:/a\" is not closed; write concat(SOURCE,...)"},
      {"concat(json:/a),", "is not closed"},
      {"concat()", "\"\" is no source; write"},
      {"concat(,json:/a)", "\"\" is no source; write"},
      {"concat(json:/a,)", "\"\" is no source; write"},
      {"concat(json:/a,,json:/b)", "\"\" is no source; write"},
      {"concat(json:/a, json:/b)", "\" json:/b\" is no source"},
      {"dotted(dotted(json:/a))", "\"dotted(json:/a)\" is no source"},
      {"concat(json:/a,json:/b,json:/c,json:/d,json:/e)", "\"json:/e\" is one part too many"},
      {"concat(json:/a,json:/b,json:/c,json:/d,)", "\"\" is one part too many; at most 4"},
      {"sigkv:t", "\"sigkv:t\" is no place for a value of the event; write header:NAME"},
      {"concat(json:/a,sigkv:t)", "\"sigkv:t\" is no place for a value of the event"},
      {"joined(json:/a)", "\"joined(json:/a)\" is no source"},
      {"Dotted(json:/a)", "is no source"},
  };
  for (const auto& c : cases) {
    Choice choice;
    ConfigError error;
    EXPECT_FALSE(parse_choice(Exact(c.word), &choice, &error)) << c.word;
    EXPECT_TRUE(contains(error.text, c.sentence)) << error.text;
  }
}

TEST(Source, R16_Units) {
  TimeUnit unit;
  ConfigError error;
  EXPECT_TRUE(parse_unit("s", &unit, &error) && unit == TimeUnit::kSeconds);
  EXPECT_TRUE(parse_unit("ms", &unit, &error) && unit == TimeUnit::kMilliseconds);
  EXPECT_TRUE(parse_unit("rfc3339", &unit, &error) && unit == TimeUnit::kRfc3339);
  for (const char* word : {"", "S", "us", "seconds", "s ", "RFC3339"}) {
    EXPECT_FALSE(parse_unit(word, &unit, &error));
    EXPECT_EQ(error.text, "unknown unit \""s + word + "\"; write unit=s, unit=ms or unit=rfc3339");
  }
}

TEST(Source, ALongWordCutsTheSentenceAndNoMore) {
  Source source;
  ConfigError error;
  EXPECT_FALSE(parse_source(Exact(std::string(100000, 'x')), &source, &error));
  EXPECT_EQ(std::string(error.text).size(), sizeof(error.text) - 1);
}

}  // namespace
}  // namespace webhook::test
