#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/job/job_spec.h"
#include "controller/workload/condition.h"
#include "controller/workload/workload_controller.h"

namespace plimsoll::controller {

/// Runs pods until as many have succeeded as a Job requires: upstream's job controller.
///
/// No pod is counted twice or lost, even if the controller is killed. A finalizer holds each pod
/// until it is counted, in three steps. Its uid is added to status.uncountedTerminatedPods; then
/// its finalizer is removed; then the uid is replaced by a higher count. The stored objects always
/// show the step that a pod has reached.
class JobController final : public WorkloadController {
 public:
  JobController();

  std::string_view name() const override { return "job-controller"; }
  std::string_view component() const override { return "job-controller"; }
  std::span<const WatchedKind> watched() const override;

 private:
  using Uids = std::set<std::string, std::less<>>;

  /// State of one sync.
  struct Look {
    PodOwner& owner;
    JobSpec spec;
    const Turn& turn;
    WorkloadConditions conditions;
    std::vector<const OwnedPod*> active{};
    std::int64_t ready = 0;
    std::int64_t terminating = 0;
    Uids uncounted_succeeded{};  // as stored
    Uids uncounted_failed{};
    std::vector<const OwnedPod*> new_succeeded{};  // not yet in the status
    std::vector<const OwnedPod*> new_failed{};
    std::vector<const OwnedPod*> releasable{};  // in the status or ignored, but with finalizer
    std::set<std::int64_t> indexes{};           // completed, including new ones
    std::set<std::int64_t> stored_indexes{};    // completed, as stored
    std::set<std::string_view> held{};          // uids of all pods with the finalizer
    std::int64_t succeeded = 0;                 // total, including new ones
    std::int64_t failed = 0;
    std::string fail_message{};  // set if a pod failure policy ends the Job
    std::string started{};       // status.startTime
  };

  void Sync(PodOwner& owner, const Turn& turn) override;
  void SyncOrphaned(PodOwner& owner, const Turn& turn) override;
  void OwnerGone(const PodOwner& owner) override;
  void WriteFinished(PodOwner& owner, ActionId id, const Status& status, const Turn& turn) override;

  static void ReadPods(Look& look);
  static void ReadFinished(Look& look, const OwnedPod& pod);
  void Release(PodOwner& owner, const OwnedPod& pod, const Turn& turn);

  /// Sets the condition FailureTarget or SuccessCriteriaMet once the outcome is known.
  void Decide(Look& look);
  static bool HasTarget(const Look& look);
  void Manage(Look& look);
  void NoteSuspension(Look& look);
  void CreateMissing(Look& look, std::int64_t count);
  std::vector<const OwnedPod*> PodsToRemove(const Look& look, std::int64_t at_least) const;
  std::vector<std::int64_t> MissingIndexes(const Look& look, std::int64_t count) const;

  // job_status.cc
  void WriteStatus(Look& look);
  bool EndIfDone(Look& look, const Uids& uncounted_succeeded, const Uids& uncounted_failed);

  std::map<ActionId, std::string> releases_;            // pod uids by action
  std::map<std::string, Uids, std::less<>> releasing_;  // pod uids by Job uid
  std::map<std::string, PodEnds, std::less<>> ends_;    // of counted pods, by Job uid
};

}  // namespace plimsoll::controller
