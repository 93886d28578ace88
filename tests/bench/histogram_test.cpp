#include "bench/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace webhook::bench {
namespace {

constexpr double kError = 1.0 / 128;

uint64_t only(uint64_t value) {
  Histogram histogram;
  histogram.record(value);
  return histogram.quantile(1);
}

TEST(Histogram, EmptyHasNoQuantile) {
  EXPECT_EQ(Histogram().quantile(0.99), 0u);
}

TEST(Histogram, SmallValuesAreExact) {
  for (uint64_t value = 0; value < 256; ++value) EXPECT_EQ(only(value), value);
}

TEST(Histogram, AValueIsAtMostTheBoundOfItsBucketAndCloseToIt) {
  for (uint64_t value = 1; value < Histogram::kLargest; value += 1 + value / 3) {
    for (const uint64_t near : {value - 1, value, value + 1}) {
      EXPECT_GE(only(near), near);
      EXPECT_LE(static_cast<double>(only(near)), static_cast<double>(near) * (1 + kError));
    }
  }
}

TEST(Histogram, PowersOfTwoBeginABucket) {
  for (unsigned bit = 1; bit < 40; ++bit) {
    const uint64_t power = uint64_t{1} << bit;
    EXPECT_EQ(only(power - 1), power - 1) << bit;
    EXPECT_GE(only(power), power) << bit;
  }
}

TEST(Histogram, LargerValuesCountAsTheLargest) {
  EXPECT_EQ(only(Histogram::kLargest), Histogram::kLargest);
  EXPECT_EQ(only(UINT64_MAX), Histogram::kLargest);
}

TEST(Histogram, QuantilesAreThoseOfTheSortedValues) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> latency(14, 2);
  Histogram histogram;
  std::vector<uint64_t> values(10'000);
  for (uint64_t& value : values) {
    value = static_cast<uint64_t>(latency(random));
    histogram.record(value);
  }
  std::sort(values.begin(), values.end());
  for (const double fraction : {0.0001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<size_t>(std::ceil(fraction * 10'000));
    const auto exact = static_cast<double>(values[rank - 1]);
    EXPECT_GE(static_cast<double>(histogram.quantile(fraction)), exact) << fraction;
    EXPECT_LE(static_cast<double>(histogram.quantile(fraction)), exact * (1 + kError)) << fraction;
  }
  EXPECT_EQ(histogram.count(), 10'000u);
}

}  // namespace
}  // namespace webhook::bench
