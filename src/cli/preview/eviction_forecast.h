#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "base/metrics.h"
#include "base/time.h"
#include "cli/explain/cluster_snapshot.h"
#include "controller/taint_eviction/taint_eviction.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// A pod that the taint-eviction controller evicts.
struct Departure {
  ObjectPtr pod;
  Instant at;
  std::string why;  // text of the controller's event, without the pod's name
};

/// Runs the taint-eviction controller over objects that do not change any more, to learn whom it
/// evicts and when. No request is sent: every eviction succeeds at once.
class EvictionForecast {
 public:
  /// The rules' evaluator must outlive the forecast.
  EvictionForecast(const api::FeatureGates& gates, const match::Rules& rules, Instant now);

  /// Adds, changes or deletes an object. REQUIRES: pods have distinct uids.
  void Observe(const ObjectPtr& before, const ObjectPtr& after);
  /// Ends the initial lists, which are those of the moment before `now`: countdowns run, and later
  /// changes do not move them. Evictions that are due begin.
  void Sync();
  /// Lets the time pass until no countdown is left. Returns all evictions since the construction,
  /// in order of time.
  std::vector<Departure> Run();

 private:
  void Settle();
  void Perform(const api::Action& action);

  MetricsRegistry metrics_;
  controller::TaintEviction core_;
  const Instant begin_;
  Instant now_;
  controller::Actions actions_;
  std::map<std::string, std::string, std::less<>> reasons_;  // by pod uid
  std::vector<Departure> departures_;
};

/// Returns the key of the eviction of a pod in all maps: its uid, or its full name without one.
std::string PodKey(const api::Object& pod);

}  // namespace plimsoll::cli
