#pragma once

#include <functional>
#include <utility>

#include "base/time.h"

namespace plimsoll::scheduler {

/// Monotonic clock for durations in metrics and for time limits. It may have no source; all its
/// readings are zero then.
class Stopwatch {
 public:
  explicit Stopwatch(std::function<Duration()> source) : source_(std::move(source)) {}

  bool has_source() const { return source_ != nullptr; }
  Duration Now() const { return source_ ? source_() : Duration::zero(); }

 private:
  std::function<Duration()> source_;
};

}  // namespace plimsoll::scheduler
