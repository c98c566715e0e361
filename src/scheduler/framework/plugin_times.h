#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/time.h"

namespace plimsoll::scheduler {

/// Filter and Score durations of one scheduling attempt, indexed by the plugin's index in the
/// profile. An answer cached in an earlier attempt adds nothing.
class PluginTimes {
 public:
  using Durations = std::vector<Duration>;

  /// Resets all durations. REQUIRES: `stopwatch` outlives the attempt.
  void Begin(std::size_t plugins, const std::function<Duration()>& stopwatch) {
    stopwatch_ = &stopwatch;
    filter.assign(plugins, Duration::zero());
    score.assign(plugins, Duration::zero());
  }

  /// Adds the duration of `call()` and returns its result.
  template <class Call>
  auto Measure(Durations& durations, std::size_t index, const Call& call) {
    const Adding adding{*stopwatch_, durations[index], (*stopwatch_)()};
    return call();
  }

  Durations filter;
  Durations score;

 private:
  struct Adding {
    const std::function<Duration()>& stopwatch;
    Duration& total;
    Duration start;
    ~Adding() { total += stopwatch() - start; }
  };

  const std::function<Duration()>* stopwatch_ = nullptr;
};

}  // namespace plimsoll::scheduler
