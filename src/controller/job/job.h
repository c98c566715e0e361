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

/// Runs pods until as many have succeeded as a Job asks for: upstream's job controller.
///
/// No pod is counted twice or lost, whenever the controller dies. A finalizer holds each pod until
/// it is counted, in three steps: its uid is noted in status.uncountedTerminatedPods; then the
/// finalizer goes; then the uid becomes part of the count. Which step a pod is at can always be
/// read from what is stored.
class JobController final : public WorkloadController {
 public:
  JobController();

  std::string_view name() const override { return "job-controller"; }
  std::string_view component() const override { return "job-controller"; }
  std::span<const WatchedKind> watched() const override;

 private:
  using Uids = std::set<std::string, std::less<>>;

  /// What one look at the pods has found.
  struct Look {
    PodOwner& owner;
    JobSpec spec;
    Instant now;
    Actions& out;
    WorkloadConditions conditions;
    std::vector<const OwnedPod*> active{};
    std::int64_t ready = 0;
    std::int64_t terminating = 0;
    Uids uncounted_succeeded{};  // noted, as stored
    Uids uncounted_failed{};
    std::vector<const OwnedPod*> new_succeeded{};  // not noted yet
    std::vector<const OwnedPod*> new_failed{};
    std::vector<const OwnedPod*> releasable{};  // noted or of no interest, still held
    std::set<std::int64_t> indexes{};           // completed, with the new ones
    std::set<std::int64_t> stored_indexes{};    // completed, as stored
    std::set<std::string_view> held{};          // uids of all pods with the finalizer
    std::int64_t succeeded = 0;                 // all of them, noted or not
    std::int64_t failed = 0;
    std::string fail_message{};  // of a policy that ends the Job
    std::string started{};       // status.startTime
  };

  void Sync(PodOwner& owner, Instant now, Actions& out) override;
  void SyncOrphaned(PodOwner& owner, Actions& out) override;
  void OwnerGone(const PodOwner& owner) override;
  void WriteFinished(PodOwner& owner, ActionId id, const Status& status, Instant now,
                     Actions& out) override;

  static void ReadPods(Look& look);
  static void ReadFinished(Look& look, const OwnedPod& pod);
  void Release(PodOwner& owner, const OwnedPod& pod, Actions& out);

  /// Sets the condition that says how the Job will end, once that is known.
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

  std::map<ActionId, std::string> releases_;            // pod uids, by write
  std::map<std::string, Uids, std::less<>> releasing_;  // pod uids, by uid of the Job
  std::map<std::string, PodEnds, std::less<>> ends_;    // of noted pods, by uid of the Job
};

}  // namespace plimsoll::controller
