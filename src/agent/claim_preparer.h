#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/devices/device_driver.h"
#include "agent/event_recorder.h"
#include "agent/records.h"

namespace plimsoll::agent {

/// Finds out whether pods may use their ResourceClaims, and remembers which pods wait for which
/// claim. A pod that has waited for a second is reported with an event.
class ClaimPreparer {
 public:
  /// The references must outlive this object.
  ClaimPreparer(const DeviceDriver& devices, EventRecorder& events)
      : devices_(devices), events_(events) {}

  /// Returns true if the pod may use its claims. Otherwise the pod waits for them: it must exist
  /// until Forget is called, and Prepare be called again when one of its claims has changed.
  bool Prepare(const PodRecord& pod, Instant now);
  /// Returns the numbers of the pods that wait for the claim.
  std::vector<std::uint64_t> PodsWaitingFor(const api::ObjectMeta& claim) const;
  void Forget(const PodRecord& pod);

  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const;

 private:
  using ClaimName = std::pair<std::string, std::string>;  // namespace and name
  struct Waiting {
    const PodRecord* pod = nullptr;
    std::vector<ClaimName> claims;
    std::string reported;              // reason in the last event
    std::optional<Instant> report_at;  // entry in due_
  };

  void Await(Waiting& waiting);
  void StopAwaiting(Waiting& waiting);
  void StopReporting(Waiting& waiting);
  void Report(Waiting& waiting, const Turn& turn);

  const DeviceDriver& devices_;
  EventRecorder& events_;
  std::map<std::uint64_t, Waiting> waiting_;  // by number of the pod
  std::map<ClaimName, std::set<std::uint64_t>> pods_by_claim_;
  std::set<std::pair<Instant, std::uint64_t>> due_;
};

}  // namespace plimsoll::agent
