#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/event_recorder.h"
#include "agent/pending_actions.h"
#include "agent/pod_volumes.h"
#include "agent/records.h"
#include "match/rules.h"

namespace plimsoll::agent {

/// Reads the PersistentVolumes of pods that wait for them, and checks that their node affinity
/// allows the pod's node. A volume that is missing or not allowed is reported with an event and
/// read again later, with a growing delay.
class VolumeManager {
 public:
  /// Called once for each pod whose volumes have become usable.
  using OnUsable = std::function<void(std::uint64_t pod, const Turn& turn)>;

  /// The references must outlive this object.
  VolumeManager(const match::Rules& rules, ActionId& next_action, EventRecorder& events,
                OnUsable on_usable);

  /// Adds a pod that must wait if it has volume claims. It must exist until Forget is called.
  void Add(const PodRecord& pod);
  /// Starts to read the pod's volumes, if it waits for them.
  void Read(const PodRecord& pod, const Turn& turn);
  bool AreUsable(const PodRecord& pod) const { return !waiting_.contains(pod.number()); }
  void Forget(const PodRecord& pod);
  /// Reads the volumes of these pods again: the labels of their node have changed.
  void ObserveNodeLabels(std::span<PodRecord* const> pods, const Turn& turn);

  /// Returns false if the action is not one of these.
  bool Finish(const ActionFinished& event, const Turn& turn);
  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const;

 private:
  struct Waiting {
    const PodRecord* pod = nullptr;
    ActionId read = 0;                 // in flight; 0: none
    std::optional<VolumeReads> reads;  // set while volumes are read
    bool has_new_labels = false;       // of the node, since the read was sent
    std::string reported;              // fault in the last event
    std::optional<Instant> since;      // time of the first fault
    Duration retry_wait{};
    std::optional<Instant> retry_at;  // entry in due_
  };

  void Read(Waiting& waiting, const Turn& turn);
  void ReadNext(Waiting& waiting, const Turn& turn);
  void FinishReads(Waiting& waiting, const Status& read, const Turn& turn);
  std::string AffinityFault(const std::vector<ObjectPtr>& volumes, const api::Object& node) const;
  void CancelRetry(Waiting& waiting);

  const match::Rules& rules_;
  EventRecorder& events_;
  OnUsable on_usable_;
  std::map<std::uint64_t, Waiting> waiting_;  // by number of the pod
  std::set<std::pair<Instant, std::uint64_t>> due_;
  PendingActions<std::uint64_t> pending_;
};

}  // namespace plimsoll::agent
