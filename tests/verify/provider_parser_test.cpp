#include "ngx_webhook_module/verify/provider_parser.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

// A provider that is accepted, by directive.
const std::map<std::string, std::string> kBasic = {
    {"signature", "signature header:X-Sig list=, kv== key=v1"},
    {"timestamp", "timestamp sigkv:t unit=s"},
    {"signed", "signed {ts}.{body}"},
    {"algorithm", "algorithm hmac-sha256 hex"},
    {"secret", "secret utf8"},
    {"event_id", "event_id json:/id"},
};

std::vector<std::string> split(const std::string& line) {
  std::istringstream words(line);
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word == "EMPTY" ? "" : word);
  return list;
}

// What comes of kBasic with the directive of that line replaced or added.
struct Parsed {
  explicit Parsed(const std::string& line, const std::string& without = "") {
    auto lines = kBasic;
    if (!line.empty()) lines[split(line)[0]] = line;
    if (!without.empty()) lines.erase(without);
    ProviderParser parser(arena.get(), &provider);
    ConfigError sentence;
    good = parser.begin("acme", &sentence);
    for (const auto& [name, text] : lines) good = good && add(&parser, text, &sentence);
    good = good && parser.finish(&sentence);
    error = sentence.text;
  }

  static bool add(ProviderParser* parser, const std::string& line, ConfigError* sentence) {
    const std::vector<std::string> list = split(line);
    const std::vector<std::string_view> words(list.begin(), list.end());
    return parser->add(words.data(), words.size(), sentence);
  }

  TestArena arena;
  Provider provider;
  bool good;
  std::string error;
};

TEST(ProviderParser, R16_ReadsEveryDirective) {
  Parsed p("");
  ASSERT_TRUE(p.good) << p.error;
  EXPECT_EQ(p.provider.name, "acme");
  EXPECT_EQ(p.provider.signature.header, "X-Sig");
  EXPECT_EQ(p.provider.signature.list_separator, ',');
  EXPECT_EQ(p.provider.signature.kv_separator, '=');
  EXPECT_EQ(p.provider.signature.key, "v1");
  EXPECT_TRUE(p.provider.signs_time());
  EXPECT_EQ(p.provider.timestamp_unit, TimeUnit::kSeconds);
  EXPECT_EQ(p.provider.tolerance.past_s, 300);
  EXPECT_EQ(p.provider.tolerance.future_s, 300);
  EXPECT_EQ(p.provider.redelivery_s, 259200);
  EXPECT_EQ(p.provider.content_type_count, 0u);
  EXPECT_EQ(p.provider.event_type.count, 0u);

  EXPECT_EQ(Parsed("signature header:A list=space kv=, key=v1").provider.signature.list_separator,
            ' ');
  EXPECT_EQ(Parsed("timestamp header:T unit=rfc3339").provider.timestamp_unit, TimeUnit::kRfc3339);
  EXPECT_EQ(Parsed("algorithm hmac-sha1 base64").provider.algorithm, MacAlgorithm::kHmacSha1);
  EXPECT_EQ(Parsed("algorithm hmac-sha512 base64url").provider.encoding, Encoding::kBase64Url);
  EXPECT_EQ(Parsed("algorithm hmac-sha512 hex").provider.algorithm, MacAlgorithm::kHmacSha512);
  EXPECT_EQ(Parsed("secret hex").provider.secret.form, KeyForm::kHex);
  EXPECT_EQ(Parsed("secret base64 prefix=whsec_").provider.secret.prefix, "whsec_");
  EXPECT_EQ(Parsed("tolerance 10m 0").provider.tolerance.past_s, 600);
  EXPECT_EQ(Parsed("tolerance 10m 0").provider.tolerance.future_s, 0);
  EXPECT_EQ(Parsed("redelivery 30d").provider.redelivery_s, 2592000);
  EXPECT_EQ(Parsed("content_type a/b c/d e/f g/h").provider.content_types[3], "g/h");
  EXPECT_EQ(Parsed("object_version json:/v").provider.object_version.count, 1u);
  EXPECT_EQ(Parsed("object_id json:/v").provider.object_id.choices[0].parts[0].name, "/v");
  EXPECT_TRUE(Parsed("account header:A unsigned").provider.account.outside_signature);

  const Field type = Parsed("event_type json:/a json:/b required").provider.event_type;
  EXPECT_EQ(type.count, 2u);
  EXPECT_TRUE(type.required);
  EXPECT_FALSE(Parsed("event_type json:/a optional").provider.event_type.required);
  const Field created = Parsed("created_at unit=ms json:/a optional").provider.created_at;
  EXPECT_EQ(created.unit, TimeUnit::kMilliseconds);

  const Parsed shaking("handshake json:/a=b=c echo=json:/d");
  const Handshake& handshake = shaking.provider.handshake;
  EXPECT_EQ(handshake.match.name, "/a");
  EXPECT_EQ(handshake.equals, "b=c");
  EXPECT_EQ(handshake.echo.name, "/d");
}

// Each sentence names the directive and what is accepted in its place.
TEST(ProviderParser, R16_EveryErrorSaysWhatToWrite) {
  const struct {
    const char* line;
    const char* sentence;
  } cases[] = {
      {"color red", "unknown directive \"color\"; a provider has signature, timestamp, signed,"},
      {"EMPTY red", "unknown directive \"\"; a provider has"},
      {"signature", "\"signature\" is written: signature header:NAME [list=SEP] [kv=SEP key="},
      {"signature header:A list=, kv== key=v1 x", "\"signature\" is written: signature header:"},
      {"signature A", "in \"signature\": \"A\" is no source; write header:NAME, json"},
      {"signature json:/sig", "\"json:/sig\" cannot hold a signature; write header:NAME"},
      {"signature header:A sep=,",
       "in \"signature\": unknown word \"sep=,\"; accepted here: list=SEPARATOR, kv=SEPARATOR"},
      {"signature header:A list", "unknown word \"list\"; accepted here: list=SEPARATOR"},
      {"signature header:A list=", "\"\" is no separator; write one character or \"space\""},
      {"signature header:A list=, kv=::", "\"::\" is no separator; write one character"},
      {"signature header:A list=\x7f", "is no separator"},
      {"signature header:A list=\xe9", "is no separator"},
      {"timestamp header:T", "\"timestamp\" is written: timestamp header:NAME|sigkv:KEY unit="},
      {"timestamp T unit=s", "in \"timestamp\": \"T\" is no source; write"},
      {"timestamp json:/t unit=s",
       "would have to be read before the signature is verified; write "
       "header:NAME or sigkv:KEY"},
      {"timestamp header:T s", "unknown word \"s\"; accepted here: unit=s, unit=ms, unit=rfc3339"},
      {"timestamp header:T unit=us", "unknown unit \"us\"; write unit=s, unit=ms or unit=rfc3339"},
      {"signed", "\"signed\" is written: signed \"{ts}.{body}\""},
      {"signed {ts}", "in \"signed\": the template must hold {body} exactly once"},
      {"algorithm hmac-sha256", "\"algorithm\" is written: algorithm hmac-sha256|hmac-sha1|"},
      {"algorithm md5 hex",
       "unknown word \"md5\"; accepted here: hmac-sha256, hmac-sha1, hmac-sha512"},
      {"algorithm none hex", "unknown word \"none\"; accepted here: hmac-sha256"},
      {"algorithm hmac-sha256 raw", "unknown word \"raw\"; accepted here: hex, base64, base64url"},
      {"secret utf8 prefix=a b", "\"secret\" is written: secret utf8 or base64|hex [prefix=TEXT]"},
      {"secret raw", "unknown word \"raw\"; accepted here: utf8, base64, hex"},
      {"secret hex whsec_", "unknown word \"whsec_\"; accepted here: prefix=TEXT"},
      {"secret utf8 prefix=whsec_", "a utf8 secret is the whole text; prefix= goes with base64"},
      {"tolerance 5m", "\"tolerance\" is written: tolerance PAST FUTURE"},
      {"tolerance 5x 5m", "in \"tolerance\": \"5x\" is no time; write a number with s, m, h or d"},
      {"tolerance 5m -1", "\"-1\" is no time; write a number with s, m, h or d, as 5m"},
      {"content_type", "\"content_type\" is written: content_type TYPE/SUBTYPE..."},
      {"content_type a b c d e", "\"content_type\" is written: content_type TYPE/SUBTYPE..."},
      {"event_id", "\"event_id\" is written: event_id SOURCE..."},
      {"event_id unsigned", "in \"event_id\": no source is named; write header:NAME or json:/"},
      {"event_id id", "in \"event_id\": \"id\" is no source; write header:NAME"},
      {"event_id json:/id unit=s", "\"unit=s\" is no source"},
      {"event_type json:/1 json:/2 json:/3 json:/4 json:/5",
       "in \"event_type\": more than 4 places to look for one value"},
      {"created_at json:/t", "\"created_at\" is written: created_at SOURCE... unit=s|ms|rfc3339"},
      {"created_at json:/t required",
       "in \"created_at\": the unit is missing; add unit=s, unit=ms or unit=rfc3339"},
      {"created_at json:/t unit=min", "unknown unit \"min\"; write unit=s, unit=ms or"},
      {"created_at unit=s required", "no source is named"},
      {"redelivery soon", "in \"redelivery\": \"soon\" is no time"},
      {"handshake json:/a=b", "\"handshake\" is written: handshake json:/POINTER=TEXT echo=json:"},
      {"handshake json:/a=b json:/c", "unknown word \"json:/c\"; accepted here: json:/POINTER="},
      {"handshake a=b echo=json:/c", "in \"handshake\": \"a\" is no source"},
      {"handshake json:/a=b echo=c", "in \"handshake\": \"c\" is no source"},
      {"handshake json:/a echo=json:/c", "a handshake is written json:/POINTER=TEXT echo=json:/"},
      {"handshake json:/a= echo=json:/c", "a handshake is written json:/POINTER=TEXT"},
      {"handshake header:A=b echo=json:/c", "a handshake is written json:/POINTER=TEXT"},
      {"handshake json:/a=b echo=header:C", "a handshake is written json:/POINTER=TEXT"},
  };
  for (const auto& c : cases) {
    const Parsed parsed(c.line);
    EXPECT_FALSE(parsed.good) << c.line;
    EXPECT_TRUE(contains(parsed.error, c.sentence)) << c.line << "\n  gives: " << parsed.error;
  }
}

TEST(ProviderParser, R16_MissingDirectivesAreNamedWithTheirForm) {
  for (const char* name : {"signature", "signed", "algorithm", "secret", "event_id"}) {
    const Parsed parsed("", name);
    EXPECT_FALSE(parsed.good) << name;
    EXPECT_TRUE(
        contains(parsed.error, "provider \"acme\" has no \""s + name + "\"; write " + name + " "))
        << parsed.error;
  }
}

TEST(ProviderParser, R16_NoDirectiveTwice) {
  for (const auto& [name, line] : kBasic) {
    TestArena arena;
    Provider provider;
    ProviderParser parser(arena.get(), &provider);
    ConfigError error;
    ASSERT_TRUE(parser.begin("acme", &error) && Parsed::add(&parser, line, &error));
    EXPECT_FALSE(Parsed::add(&parser, line, &error));
    EXPECT_EQ(error.text, "\"" + name + "\" stands here twice");
  }
}

TEST(ProviderParser, R13_NoToleranceWithoutASignedTime) {
  TestArena arena;
  Provider provider;
  ProviderParser parser(arena.get(), &provider);
  ConfigError error;
  ASSERT_TRUE(parser.begin("acme", &error));
  for (const char* line : {"signature header:S", "signed {body}", "algorithm hmac-sha256 hex",
                           "secret utf8", "event_id json:/id", "tolerance 5m 5m"}) {
    ASSERT_TRUE(Parsed::add(&parser, line, &error)) << error.text;
  }
  EXPECT_FALSE(parser.finish(&error));
  EXPECT_STREQ(error.text,
               "provider \"acme\" signs no time, so a tolerance means nothing; remove it");
}

TEST(ProviderParser, BeginStartsAnew) {
  TestArena arena;
  Provider provider;
  ProviderParser parser(arena.get(), &provider);
  ConfigError error;
  ASSERT_TRUE(parser.begin("a", &error) && Parsed::add(&parser, "tolerance 1 2", &error));
  ASSERT_TRUE(parser.begin("b", &error) && Parsed::add(&parser, "tolerance 3 4", &error));
  EXPECT_EQ(provider.name, "b");
  EXPECT_EQ(provider.tolerance.past_s, 3);
}

TEST(ProviderParser, NamesAreChecked) {
  for (const std::string& name : {""s, "a b"s, "a/b"s, std::string(65, 'x'), "\xc3\xa4"s}) {
    TestArena arena;
    Provider provider;
    ConfigError error;
    EXPECT_FALSE(ProviderParser(arena.get(), &provider).begin(name, &error));
    EXPECT_TRUE(contains(error.text, "\"" + name + "\" is no name; use letters, digits"));
  }
}

TEST(ProviderParser, ManyWordsAreRefused) {
  TestArena arena;
  Provider provider;
  ProviderParser parser(arena.get(), &provider);
  ConfigError error;
  ASSERT_TRUE(parser.begin("acme", &error));
  const std::vector<std::string_view> words(1000, "signature");
  EXPECT_FALSE(parser.add(words.data(), words.size(), &error));
  EXPECT_TRUE(contains(error.text, "\"signature\" is written:"));
}

}  // namespace
}  // namespace webhook::test
