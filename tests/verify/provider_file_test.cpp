#include "ngx_webhook_module/verify/provider_file.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

const std::string kRest =
    "algorithm hmac-sha256 hex; secret utf8; signature header:Sig; event_id json:/id;";

// The signed bytes of a provider that writes its template as `word`.
std::string template_of(const std::string& word) {
  const Providers providers("webhook_provider acme { signed " + word + ";" + kRest + "}");
  if (!providers.good()) return providers.error();
  std::string text;
  for (size_t i = 0; i < providers[0].signed_bytes.count; ++i) {
    const TemplatePart& part = providers[0].signed_bytes.parts[i];
    text += part.kind == TemplatePart::Kind::kBody ? "<body>" : std::string(part.text);
  }
  return text;
}

// As ngx_conf_read_token() reads them.
TEST(ProviderFile, R16_WordsAsNginxReadsThem) {
  const struct {
    const char* word;
    std::string expected;
  } cases[] = {
      {"\"{body}\"", "<body>"},
      {"'{body}'", "<body>"},
      {"\"a b;c#d'e{body}\"", "a b;c#d'e<body>"},
      {"'a\"b{body}'", "a\"b<body>"},
      {"\"a\nb{body}\"", "a\nb<body>"},
      {R"("a\"b{body}")", "a\"b<body>"},
      {R"('a\'b{body}')", "a'b<body>"},
      {R"("a\\b{body}")", "a\\b<body>"},
      {R"("a\tb\rc\nd{body}")", "a\tb\rc\nd<body>"},
      {R"("a\xb\$c{body}")", "a\\xb\\$c<body>"},
      {R"("a\\nb{body}")", "a\\nb<body>"},
      {R"(a\ b\;c"{body})", "line 1: \"{\" stands outside of quotes"},
      {R"(a\ b"c\{body})", "a\\ b\"c\\<body>"},
      {R"(\"a\{body})", "\"a\\<body>"},
      {"a#b$\\{body}", "a#b$\\<body>"},
      {"a${body}", "a$<body>"},  // but not that of "${"
      {"${body}", "$<body>"},
      {"\"$\" x", "line 1: \"signed\" is written: signed \"{ts}.{body}\""},
      {"a$b{body}", "line 1: \"{\" stands outside of quotes; write signed \"{ts}.{body}\""},
      {"\\${body}", "line 1: \"{\" stands outside of quotes"},
      {"\t\r\n'{body}'\r\n", "<body>"},
      {"# a comment; with } and \" \n\"{body}\"# and another", "line 2: after a closing quote"},
      {"# a comment; with } and \" \n\"{body}\" # and another\n", "<body>"},
      {"\"\"", "line 1: in \"signed\": the template must hold {body} exactly once"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(template_of(c.word).substr(0, c.expected.size()), c.expected) << c.word;
  }
  // After a closing quote a ')' starts another word.
  EXPECT_TRUE(contains(template_of("\"{body}\")"), "\"signed\" is written:"));
}

TEST(ProviderFile, ErrorsStartWithTheLine) {
  const std::string open = "# comment\n\nwebhook_provider acme {\n";
  const struct {
    std::string text;
    const char* sentence;
  } cases[] = {
      {";", "line 1: webhook_provider NAME { ... } was expected"},
      {"}", "line 1: webhook_provider NAME { ... } was expected"},
      {"{", "line 1: a provider file holds only: webhook_provider NAME { ... }"},
      {"\nserver {}", "line 2: a provider file holds only: webhook_provider NAME { ... }"},
      {"webhook_provider {", "line 1: a provider file holds only"},
      {"webhook_provider a b {", "line 1: a provider file holds only"},
      {"webhook_provider a;", "line 1: webhook_provider NAME { ... } was expected"},
      {"webhook_provider \"a b\" {", "line 1: \"a b\" is no name; use letters, digits"},
      {"webhook_provider a", "line 1: \";\" is missing at the end of the file"},
      {"\n\n\"abc", "line 3: a quote is not closed"},
      {"\n'abc\n\n", "line 4: a quote is not closed"},
      {"\"abc\"", "line 1: \";\" is missing at the end of the file"},
      {"abc\\", "line 1: \"\\\" is the last character of the file"},
      {"\"a\"b", "line 1: after a closing quote a blank, \";\" or \"{\" must stand"},
      {"\"a\"\"b\"", "line 1: after a closing quote a blank"},
      {open + "color red;\n}", "line 4: unknown directive \"color\"; a provider has signature,"},
      {open + "signed\n\n{ts};\n}", "line 6: \"{\" stands outside of quotes"},
      {open + "signed\n\n\"{ts}\"\n;\n}", "line 7: in \"signed\": the template must hold {body}"},
      {open + "secret utf8\n}", "line 5: \";\" or \"}\" is missing"},
      {open + "secret utf8;", "line 4: \";\" or \"}\" is missing"},
      {open + "secret utf8", "line 4: \";\" is missing at the end of the file"},
      {open + ";}", "line 4: \";\" or \"}\" is missing"},
      {open + "{}}", "line 4: \"{\" stands outside of quotes"},
      {open + "\n}\n", "line 5: provider \"acme\" has no \"signature\"; write signature header:"},
      {open + "signed '{body}';" + kRest + "\n}\n}", "line 6: webhook_provider NAME { ... } was"},
      {open + "signed '{ts}{body}';" + kRest + "\n}", "line 5: provider \"acme\": signed holds"},
      {"a b c d e f g h i j k l m n o p q", "line 1: more than 16 words"},
      {std::string(5000, 'a'), "line 1: the directive is too long"},
      {std::string(2050, 'a') + " " + std::string(2050, 'b') + ";", "the directive is too long"},
      {std::string(4096, 'a') + "\\t;", "line 1: the directive is too long"},
      {std::string(4095, 'a') + "\\x;", "line 1: the directive is too long"},
  };
  for (const auto& c : cases) {
    const Providers providers(c.text);
    EXPECT_FALSE(providers.good()) << c.text;
    EXPECT_TRUE(contains(providers.error(), c.sentence)) << c.text << "\n" << providers.error();
  }
}

TEST(ProviderFile, HoldsNoneOneOrMany) {
  EXPECT_TRUE(Providers("").good());
  EXPECT_TRUE(Providers("\r\n\t # only a comment").good());
  const std::string body = "{signed '{body}';" + kRest + "}";
  const Providers two("webhook_provider a" + body + "webhook_provider \"b\"" + body + "#end");
  ASSERT_TRUE(two.good()) << two.error();
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].name, "a");
  EXPECT_EQ(two[1].name, "b");
  // What comes before an error has been visited; the caller sees the error.
  const Providers half("webhook_provider a" + body + "webhook_provider");
  EXPECT_FALSE(half.good());
  EXPECT_EQ(half.size(), 1u);
}

// Nothing of one provider reaches the next.
TEST(ProviderFile, ProvidersAreIndependent) {
  const Providers providers(
      "webhook_provider a { signed '{ts}{body}'; timestamp header:T unit=ms; tolerance 1 2;" +
      kRest + "} webhook_provider b { signed '{body}';" + kRest + "}");
  ASSERT_TRUE(providers.good()) << providers.error();
  EXPECT_TRUE(providers[0].signs_time());
  EXPECT_FALSE(providers[1].signs_time());
  EXPECT_EQ(providers[1].tolerance.past_s, 300);
}

TEST(ProviderFile, AnyLackOfMemoryIsAnError) {
  const std::string text = read_file(source_path("providers/stripe.conf"));
  size_t allowed = 0;
  while (!Providers(text, allowed).good()) {
    EXPECT_TRUE(contains(Providers(text, allowed).error(), "out of memory"));
    ASSERT_LT(++allowed, 1000u);
  }
  EXPECT_GT(allowed, 10u);
}

}  // namespace
}  // namespace webhook::test
