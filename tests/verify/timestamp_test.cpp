#include "ngx_webhook_module/verify/timestamp.h"

#include <gtest/gtest.h>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

constexpr int64_t kRefused = INT64_MIN;

int64_t parsed(std::string_view text, TimeUnit unit) {
  int64_t ms = 0;
  return parse_time(Exact(text), unit, &ms) ? ms : kRefused;
}

struct Case {
  std::string text;
  int64_t expected;
};

TEST(Timestamp, SecondsAreDigitsOnly) {
  const Case cases[] = {
      {"1614265330", 1614265330000},
      {"0", 0},
      {"0001614265330"s.substr(1), 1614265330000},
      {"999999999999", 999999999999000},
      {"1000000000000", kRefused},  // 13 digits: milliseconds, or an overflow
      {"9223372036854775807", kRefused},
      {"18446744073709551617", kRefused},
      {std::string(400, '9'), kRefused},
      {"", kRefused},
      {"1614265330abc", kRefused},
      {"abc", kRefused},
      {"-1614265330", kRefused},
      {"+1614265330", kRefused},
      {" 1614265330", kRefused},
      {"1614265330 ", kRefused},
      {"1614265330\n", kRefused},
      {"1614265330\0"s, kRefused},
      {"1614265330.5", kRefused},
      {"1.6e9", kRefused},
      {"0x60379d72", kRefused},
      {"1,614,265", kRefused},
      {"\xd9\xa1\xd9\xa6", kRefused},  // Arabic digits
      {"2021-02-25T15:02:10Z", kRefused},
  };
  for (const Case& c : cases) EXPECT_EQ(parsed(c.text, TimeUnit::kSeconds), c.expected) << c.text;
}

TEST(Timestamp, MillisecondsAreDigitsOnly) {
  EXPECT_EQ(parsed("1614265330123", TimeUnit::kMilliseconds), 1614265330123);
  EXPECT_EQ(parsed("999999999999999", TimeUnit::kMilliseconds), 999999999999999);
  EXPECT_EQ(parsed("1000000000000000", TimeUnit::kMilliseconds), kRefused);
  EXPECT_EQ(parsed("1614265330123.0", TimeUnit::kMilliseconds), kRefused);
  EXPECT_EQ(parsed("", TimeUnit::kMilliseconds), kRefused);
  EXPECT_EQ(parsed("1", TimeUnit::kNone), kRefused);
}

TEST(Timestamp, Rfc3339) {
  const Case cases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"2021-02-25T15:02:10Z", 1614265330000},
      {"2021-02-25t15:02:10z", 1614265330000},
      {"2021-02-25T17:32:10+02:30", 1614265330000},
      {"2021-02-24T15:02:10-24:00", kRefused},
      {"2021-02-25T10:02:10-05:00", 1614265330000},
      {"2021-02-25T15:02:10-00:00", 1614265330000},
      {"2021-02-25T15:02:10.1Z", 1614265330100},
      {"2021-02-25T15:02:10.12Z", 1614265330120},
      {"2021-02-25T15:02:10.123456789Z", 1614265330123},
      {"2021-02-25T15:02:10.9999+00:00", 1614265330999},
      {"2021-02-25T15:02:10." + std::string(300, '7') + "Z", 1614265330777},
      {"1969-12-31T23:59:59.5Z", -500},
      {"2016-12-31T23:59:60Z", 1483228800000},  // a leap second
      {"2024-02-29T00:00:00Z", 1709164800000},
      {"9999-12-31T23:59:59Z", 253402300799000},
      {"0000-01-01T00:00:00Z", -62167219200000},
  };
  for (const Case& c : cases) EXPECT_EQ(parsed(c.text, TimeUnit::kRfc3339), c.expected) << c.text;
}

TEST(Timestamp, Rfc3339IsRefusedAsAWhole) {
  const char* const texts[] = {
      "",
      "2021",
      "2021-02-25",
      "2021-02-25T15:02:10",
      "2021-02-25 15:02:10Z",
      "2021-02-25T15:02:10.Z",
      "2021-02-25T15:02:10,5Z",
      "2021-02-25T15:02Z",
      "2021-02-25T15:02:10Z ",
      " 2021-02-25T15:02:10Z",
      "2021-02-25T15:02:10ZZ",
      "2021-02-25T15:02:10+0100",
      "2021-02-25T15:02:10+01",
      "2021-02-25T15:02:10+1:00",
      "2021-02-25T15:02:10+01:60",
      "2021-02-25T15:02:10 01:00",
      "2021-02-25T15:02:10+a1:00",
      "2021-02-25T15:02:10+01:a0",
      "2021-02-25T15:02:10+01-00",
      "2021-2-25T15:02:10Z",
      "21-02-25T15:02:10Z",
      "2021/02/25T15:02:10Z",
      "+2021-02-25T15:02:10Z",
      "-021-02-25T15:02:10Z",
      "2021-00-25T15:02:10Z",
      "2021-13-25T15:02:10Z",
      "2021-02-00T15:02:10Z",
      "2021-02-29T15:02:10Z",
      "2021-02-31T15:02:10Z",
      "2021-04-31T15:02:10Z",
      "1900-02-29T15:02:10Z",
      "2021-01-32T15:02:10Z",
      "2021-02-25T24:00:00Z",
      "2021-02-25T15:60:10Z",
      "2021-02-25T15:02:61Z",
      "2021-02-25Ta5:02:10Z",
      "2021-02-25T15:a2:10Z",
      "2021-02-25T15:02:a0Z",
      "202a-02-25T15:02:10Z",
      "2021-a2-25T15:02:10Z",
      "2021-02-a5T15:02:10Z",
      "1614265330",
      "Thu, 25 Feb 2021 15:02:10 GMT",
  };
  for (const char* text : texts) EXPECT_EQ(parsed(text, TimeUnit::kRfc3339), kRefused) << text;
  const std::string whole = "2021-02-25T15:02:10.5+01:00";
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(parsed(whole.substr(0, size), TimeUnit::kRfc3339), kRefused) << size;
  }
}

TEST(Timestamp, R13_WindowHoldsBothItsEdges) {
  constexpr int64_t kNow = 1614265330123;
  constexpr Tolerance kWindow = {300, 60};
  const struct {
    int64_t signed_ms;
    Reason expected;
  } cases[] = {
      {kNow, Reason::kNone},
      {kNow - 300000, Reason::kNone},
      {kNow - 300001, Reason::kStale},
      {kNow + 60000, Reason::kNone},
      {kNow + 60001, Reason::kFuture},
      {0, Reason::kStale},
      {999999999999999, Reason::kFuture},
      {-62167219200000, Reason::kStale},
  };
  for (const auto& c : cases) EXPECT_EQ(check_window(c.signed_ms, kNow, kWindow), c.expected);
  EXPECT_EQ(check_window(kNow, kNow, {0, 0}), Reason::kNone);
  EXPECT_EQ(check_window(kNow - 1, kNow, {0, 0}), Reason::kStale);
  EXPECT_EQ(check_window(kNow + 1, kNow, {0, 0}), Reason::kFuture);
}

TEST(Timestamp, Durations) {
  const Case cases[] = {
      {"0", 0},
      {"90", 90},
      {"90s", 90},
      {"5m", 300},
      {"1h", 3600},
      {"3d", 259200},
      {"36525d", 36525LL * 86400},
      {"36526d", kRefused},
      {"9999999999d", kRefused},
      {"99999999999", kRefused},
      {"", kRefused},
      {"m", kRefused},
      {"5w", kRefused},
      {"5ms", kRefused},
      {"5 m", kRefused},
      {"-5m", kRefused},
      {"+5m", kRefused},
      {"1h30m", kRefused},
      {"1.5h", kRefused},
      {"5M", kRefused},
  };
  for (const Case& c : cases) {
    int64_t seconds = 0;
    const bool good = parse_duration(Exact(c.text), &seconds);
    EXPECT_EQ(good ? seconds : kRefused, c.expected) << c.text;
  }
}

}  // namespace
}  // namespace webhook::test
