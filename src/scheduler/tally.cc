#include "scheduler/tally.h"

#include <algorithm>
#include <utility>

namespace plimsoll::scheduler {

Tally::Tally(Histogram histogram, std::vector<double> bounds)
    : histogram_(histogram), bounds_(std::move(bounds)), buckets_(bounds_.size() + 1) {}

void Tally::Observe(double value) {
  const auto bound = std::ranges::lower_bound(bounds_, value);
  Bucket& bucket = buckets_[static_cast<std::size_t>(bound - bounds_.begin())];
  ++bucket.count;
  bucket.sum += value;
}

void Tally::Flush() {
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const Bucket bucket = std::exchange(buckets_[i], {});
    if (bucket.count == 0) continue;
    // The mean lies in the bucket too, unless rounding moves it out.
    double mean = bucket.sum / static_cast<double>(bucket.count);
    if (i < bounds_.size()) mean = std::min(mean, bounds_[i]);
    histogram_.Observe(mean, bucket.count);
  }
}

}  // namespace plimsoll::scheduler
