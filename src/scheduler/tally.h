#pragma once

#include <cstddef>
#include <vector>

#include "base/metrics.h"

namespace plimsoll::scheduler {

/// Gathers observations of a histogram, so that many cost what one does. One thread at a time.
class Tally {
 public:
  /// The bounds are those of the histogram's buckets.
  Tally(Histogram histogram, std::vector<double> bounds);

  void Observe(double value);
  /// Writes what was gathered to the histogram.
  void Flush();

 private:
  struct Bucket {
    std::size_t count = 0;
    double sum = 0;
  };

  Histogram histogram_;
  std::vector<double> bounds_;
  std::vector<Bucket> buckets_;  // the last is the one without bound
};

}  // namespace plimsoll::scheduler
