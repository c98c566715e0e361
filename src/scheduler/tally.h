#pragma once

#include <cstddef>
#include <vector>

#include "base/metrics.h"

namespace plimsoll::scheduler {

/// Buffers observations of a histogram, so that many cost as much as one. Not thread-safe.
class Tally {
 public:
  /// REQUIRES: `bounds` are the bucket bounds of `histogram`.
  Tally(Histogram histogram, std::vector<double> bounds);

  void Observe(double value);
  /// Writes the buffered observations to the histogram.
  void Flush();

 private:
  struct Bucket {
    std::size_t count = 0;
    double sum = 0;
  };

  Histogram histogram_;
  std::vector<double> bounds_;
  std::vector<Bucket> buckets_;  // the last one has no upper bound
};

}  // namespace plimsoll::scheduler
