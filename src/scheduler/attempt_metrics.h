#pragma once

#include <cstddef>
#include <vector>

#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/framework.h"
#include "scheduler/metrics.h"

namespace plimsoll::scheduler {

/// Derives the metrics of plugins and extension points from the outcomes of attempts. The plugins
/// themselves mostly run once per class and not once per pod.
class AttemptMetrics {
 public:
  /// REQUIRES: the arguments outlive this object.
  AttemptMetrics(const Profiles& profiles, SchedulerMetrics& metrics)
      : profiles_(profiles), metrics_(metrics), placed_(profiles.size()) {}

  /// Records the durations of PreFilter, Filter and Score.
  void RecordTimes(std::size_t profile, const Placement& placement);
  /// Counts an attempt that found a node. Published by Flush, since this runs for every pod.
  void CountPlaced(std::size_t profile) { ++placed_[profile]; }
  /// Counts the plugins that refused the pod, and the faults that the diagnosis names.
  void CountRefusal(std::size_t profile, const Diagnosis& diagnosis);
  /// Counts the plugin that failed.
  void CountError(std::size_t profile, const Placement& placement);
  /// Publishes the counted placements.
  void Flush();

 private:
  void FlushProfile(std::size_t profile);
  void CountFaults(const Diagnosis& diagnosis);

  const Profiles& profiles_;
  SchedulerMetrics& metrics_;
  std::vector<double> placed_;  // per profile: not yet in plugin_evaluation_total
};

}  // namespace plimsoll::scheduler
