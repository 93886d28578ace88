// The parts of the PostgreSQL store that need no server.
#include <gtest/gtest.h>

#include "processor/store/postgres/conninfo.h"
#include "processor/store/postgres/error.h"
#include "processor/store/postgres/params.h"
#include "processor/store/postgres/server_facts.h"

namespace webhook::postgres {
namespace {

using Kind = StoreError::Kind;

TEST(ClassifyTest, EveryClassHasItsMeaning) {
  const auto kind = [](const char* sqlstate) { return classify(sqlstate, "m").error.kind; };
  EXPECT_EQ(kind("40001"), Kind::kConflict);
  EXPECT_EQ(kind("40P01"), Kind::kConflict);
  EXPECT_EQ(kind("55P03"), Kind::kConflict);
  EXPECT_EQ(kind("40003"), Kind::kUnknownOutcome);
  EXPECT_EQ(kind("22021"), Kind::kPoison);
  EXPECT_EQ(kind("23505"), Kind::kPoison);
  EXPECT_EQ(kind("54000"), Kind::kPoison);
  EXPECT_EQ(kind("57014"), Kind::kTransient);
  EXPECT_EQ(kind("57P03"), Kind::kTransient);
  EXPECT_EQ(kind("53100"), Kind::kTransient);
  EXPECT_EQ(kind("42501"), Kind::kTransient);
  EXPECT_EQ(kind("57P01"), Kind::kUnknownOutcome);
  EXPECT_EQ(kind("57P02"), Kind::kUnknownOutcome);
  EXPECT_EQ(kind("08006"), Kind::kUnknownOutcome);
  EXPECT_EQ(kind("XX001"), Kind::kFatal);
  EXPECT_EQ(kind(""), Kind::kUnknownOutcome) << "the connection was lost";
}

TEST(ClassifyTest, SaysWhatIsLeftOfTheConnection) {
  EXPECT_FALSE(classify("40P01", "m").broken);
  EXPECT_FALSE(classify("23505", "m").broken);
  EXPECT_TRUE(classify("25006", "m").broken) << "a primary that was demoted";
  EXPECT_TRUE(classify("57P01", "m").broken);
  EXPECT_TRUE(classify("26000", "m").lost_statement);
  EXPECT_TRUE(classify("", "m").broken);
  EXPECT_EQ(one_line("a  b\n\tc\n"), "a b c");
}

TEST(ConninfoTest, PrintsNoPassword) {
  EXPECT_EQ(*printable_dsn("postgresql://u:secret@h:1,i:2/db?sslmode=require"),
            "postgresql://u@h,i:1,2/db");
  const auto bad = printable_dsn("postgresql://u:secret@h:1/db?no_such_key=1");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message.find("secret"), std::string::npos);
  EXPECT_TRUE(is_postgres_dsn("postgres://h/db"));
  EXPECT_FALSE(is_postgres_dsn("sqlite:/postgres://"));
}

ServerFacts sound() {
  return {150018, 1, "on", "on", "on", "UTF8", "read committed", "off", false, "1s"};
}

TEST(ServerFactsTest, RefusesWhatCouldLoseEvents) {
  EXPECT_TRUE(check_server(sound()));
  const auto refuses = [](auto change) {
    ServerFacts facts = sound();
    change(facts);
    return !check_server(facts);
  };
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.fsync = "off"; }));
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.full_page_writes = "off"; }));
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.synchronous_commit = "off"; }));
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.encoding = "SQL_ASCII"; }));
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.isolation = "serializable"; }));
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.in_recovery = true; }));
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.read_only = "on"; }));
  EXPECT_TRUE(refuses([](ServerFacts& facts) { facts.version = 120000; }));
  EXPECT_FALSE(refuses([](ServerFacts& facts) { facts.synchronous_commit = "remote_apply"; }));
}

TEST(ValuesTest, TimesAreMicrosecondsFrom2000) {
  std::string bytes;
  append_value(bytes, Timestamp{946'684'800'000});  // 2000-01-01
  EXPECT_EQ(bytes, std::string(8, '\0'));
  for (const int64_t ms : {int64_t{0}, int64_t{-1}, int64_t{1'796'079'506'781}}) {
    std::string text;
    append_value(text, Timestamp{ms});
    EXPECT_EQ(read_timestamp_ms(text), ms);
  }
  std::string day;
  append_value(day, Date{20'000});
  EXPECT_EQ(read_unix_day(day), 20'000);
}

TEST(ValuesTest, TimesOutOfTheCalendarBecomeItsEnds) {
  std::string least;
  std::string most;
  append_value(least, Timestamp{INT64_MIN});
  append_value(most, Timestamp{INT64_MAX});
  EXPECT_EQ(read_timestamp_ms(least), -62'135'596'800'000);
  EXPECT_EQ(read_timestamp_ms(most), 253'402'300'799'999);
}

TEST(ParamsTest, AnArrayIsWrittenAsPostgresqlReadsIt) {
  Params params;
  const std::vector<int> items = {1, 2};
  params.add_array<Text>(items, [](int item) -> std::optional<Text> {
    if (item == 2) return std::nullopt;
    return Text{"ab"};
  });
  const std::string expected(
      "\0\0\0\1"    // one dimension
      "\0\0\0\1"    // that may hold NULL
      "\0\0\0\x19"  // of text
      "\0\0\0\2"    // two elements
      "\0\0\0\1"    // counted from 1
      "\0\0\0\2ab"  // the first
      "\xff\xff\xff\xff",
      30);
  EXPECT_EQ(std::string(params.pointers()[0], static_cast<size_t>(params.lengths()[0])), expected);
}

}  // namespace
}  // namespace webhook::postgres
