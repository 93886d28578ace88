#include "webhookctl/time_text.h"

#include <gtest/gtest.h>

namespace webhook {
namespace {

constexpr int64_t kMoment = 1'796'083'200'000;  // 2026-12-01T00:00:00Z

TEST(TimeText, Rfc3339HasAFractionOnlyWhenThereIsOne) {
  EXPECT_EQ(rfc3339(kMoment), "2026-12-01T00:00:00Z");
  EXPECT_EQ(rfc3339(kMoment + 7), "2026-12-01T00:00:00.007Z");
  EXPECT_EQ(rfc3339(-1), "1969-12-31T23:59:59.999Z");
}

TEST(TimeText, IsReadBackByParseTime) {
  for (const TimeUnit unit : {TimeUnit::kSeconds, TimeUnit::kMilliseconds, TimeUnit::kRfc3339}) {
    const int64_t moment = unit == TimeUnit::kSeconds ? kMoment : kMoment + 123;
    int64_t read = 0;
    ASSERT_TRUE(parse_time(format_time(moment, unit), unit, &read));
    EXPECT_EQ(read, moment);
  }
}

TEST(TimeText, DurationsUseTheLargestUnitThatFits) {
  EXPECT_EQ(format_duration(0), "0s");
  EXPECT_EQ(format_duration(90), "90s");
  EXPECT_EQ(format_duration(300), "5m");
  EXPECT_EQ(format_duration(14400), "4h");
  EXPECT_EQ(format_duration(2592000), "30d");
}

TEST(TimeText, SinceIsAMomentOrHowLongAgo) {
  int64_t since = 0;
  ASSERT_TRUE(parse_since("2026-12-01T00:00:00Z", 0, &since));
  EXPECT_EQ(since, kMoment);
  ASSERT_TRUE(parse_since("2h", kMoment, &since));
  EXPECT_EQ(since, kMoment - 7'200'000);
  EXPECT_FALSE(parse_since("yesterday", kMoment, &since));
  EXPECT_FALSE(parse_since("-2h", kMoment, &since));
}

}  // namespace
}  // namespace webhook
