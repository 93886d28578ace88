#include "bench/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace webhook::bench {

// Values below 2 * kHalf have a bucket each; from there on a value keeps its
// highest kHalfBits + 1 bits, and every lost bit adds kHalf buckets.
size_t Histogram::bucket_of(uint64_t value) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(value));
  const unsigned lost = bits > kHalfBits + 1 ? bits - kHalfBits - 1 : 0;
  return lost * kHalf + (value >> lost);
}

uint64_t Histogram::upper_bound(size_t bucket) {
  const size_t lost = bucket < 2 * kHalf ? 0 : bucket / kHalf - 1;
  const uint64_t kept = bucket - lost * kHalf;
  return ((kept + 1) << lost) - 1;
}

void Histogram::record(uint64_t value) {
  ++buckets_[bucket_of(std::min(value, kLargest))];
  ++count_;
}

uint64_t Histogram::quantile(double fraction) const {
  const auto rank = static_cast<uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  uint64_t seen = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    seen += buckets_[i];
    if (seen >= rank && seen > 0) return upper_bound(i);
  }
  return 0;
}

}  // namespace webhook::bench
