// Counts values in log-linear buckets: small, exact to under 1 %, no limit on
// how many.
#ifndef WEBHOOK_BENCH_HISTOGRAM_H_
#define WEBHOOK_BENCH_HISTOGRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace webhook::bench {

// Each power of two is cut into 128 buckets of equal width, so a value and the
// bound of its bucket differ by less than 1/128. Values below 256 are exact.
class Histogram {
 public:
  // Larger values are counted as this one. In nanoseconds: 18 minutes.
  static constexpr uint64_t kLargest = (uint64_t{1} << 40) - 1;

  void record(uint64_t value);
  uint64_t count() const { return count_; }

  // The upper bound of the bucket that holds the value of rank
  // ceil(fraction * count), counted from the smallest; 0 when empty. `fraction`
  // is above 0 and at most 1.
  uint64_t quantile(double fraction) const;

 private:
  static constexpr unsigned kHalfBits = 7;
  static constexpr size_t kHalf = size_t{1} << kHalfBits;
  static constexpr size_t kBuckets = (40 - kHalfBits - 1) * kHalf + 2 * kHalf;

  static size_t bucket_of(uint64_t value);
  static uint64_t upper_bound(size_t bucket);

  uint64_t count_ = 0;
  std::array<uint64_t, kBuckets> buckets_ = {};
};

}  // namespace webhook::bench

#endif  // WEBHOOK_BENCH_HISTOGRAM_H_
