#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/selector/selector.h"
#include "base/time.h"
#include "controller/deployment/rollout_math.h"
#include "controller/queued_controller.h"
#include "controller/work_queue.h"
#include "controller/workload/condition.h"

namespace plimsoll::controller {

/// Rolls out a Deployment's template through ReplicaSets, one for each template:
/// upstream's deployment controller. Every sync starts from the stored objects and waits
/// for the writes of the previous sync. Writes contain the resourceVersion that was
/// read.
class DeploymentController final : public QueuedController {
 public:
  /// Minimum time between two syncs of a Deployment.
  static constexpr Duration kPause = std::chrono::milliseconds(50);

  DeploymentController();

  std::string_view name() const override { return "deployment-controller"; }
  std::string_view component() const override { return "deployment-controller"; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("deployment"));
  }
  std::span<const WatchedKind> watched() const override;

 private:
  using Key = std::pair<std::string, std::string>;  // namespace, name

  struct Deployment {
    ObjectPtr object;
    std::string uid;
    api::Selector selector = api::Selector::Nothing();
    std::set<ActionId> writes;  // writes in flight
    bool is_stale = false;      // changed while writes were in flight
    Instant last_sync = Instant::min();
    std::string awaited_set;  // created, but its watch event has not arrived
    Instant awaited_until{};
    std::string created_set;  // created by this controller, not yet in the status
    std::optional<std::string> create_error;

    const api::ObjectMeta& metadata() const { return object->metadata(); }
  };
  struct Write {
    enum class Kind : std::uint8_t { Create, Scale, Status, Other };
    Kind kind = Kind::Other;
    std::string uid;       // uid of the Deployment
    std::string set_name;  // name of the created ReplicaSet
    std::string event;     // recorded if the write succeeds
    std::string_view event_reason;
  };
  /// State of one sync. `all` is sorted by creation time.
  struct Rollout {
    Deployment& deployment;
    RolloutSpec spec;
    std::deque<RolloutSet> sets;
    RolloutSets all;
    RolloutSets old_sets;
    RolloutSet* new_set = nullptr;
    WorkloadConditions conditions;
    const Turn& turn;
    bool is_written = false;  // the Deployment was patched, so its status must wait
  };

  // Event handlers (deployment.cc).
  void OnChange(const ObjectChanged& change, Instant now) override;
  void OnDeploymentChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnReplicaSetChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void Finish(const ActionFinished& finished, const Turn& turn) override;
  void FinishCreate(Deployment& deployment, const Write& write, const Status& status,
                    const Turn& turn);
  void Collide(Deployment& deployment, const Turn& turn);
  void Enqueue(Deployment& deployment, Instant now);
  Deployment* Find(std::string_view uid);
  void Run(const Turn& turn) override;
  std::optional<Instant> NextDue() const override { return queue_.NextWake(); }
  void Sync(Deployment& deployment, const Turn& turn);
  bool Claim(Deployment& deployment, const Turn& turn);
  ActionId Begin(Deployment& deployment, Write write);

  // Sync (rollout.cc).
  static Rollout MakeRollout(Deployment& deployment, std::deque<RolloutSet> sets, const Turn& turn);
  std::deque<RolloutSet> SetsOf(const Deployment& deployment) const;
  void RollOut(Rollout& rollout);
  void RollOutRecreate(Rollout& rollout);
  void ScaleOnly(Rollout& rollout);
  bool HasOldPods(const Rollout& rollout) const;
  void WriteScales(Rollout& rollout);
  void CleanUp(Rollout& rollout);

  // Revisions (revision.cc). False means: something was written and must be awaited first.
  bool EnsureNewSet(Rollout& rollout, bool may_create);
  bool UpdateNewSet(Rollout& rollout, std::int64_t revision);
  void CreateNewSet(Rollout& rollout, std::int64_t revision);
  bool SetRevision(Rollout& rollout, std::int64_t revision);
  bool RollBack(Rollout& rollout);
  void RollBackTo(Rollout& rollout, const RolloutSet& set, std::int64_t revision);
  void ClearRollback(Rollout& rollout, std::string template_json, std::string annotations);

  // rollout_status.cc
  static void CheckPaused(Rollout& rollout);
  void WriteStatus(Rollout& rollout, bool has_progress);

  WorkQueue<std::string> queue_;
  std::map<std::string, Deployment, std::less<>> deployments_;  // by uid
  std::map<std::string, std::set<std::string>, std::less<>> uids_by_namespace_;
  std::map<Key, ObjectPtr> sets_;
  std::map<std::string, std::set<std::string>, std::less<>> orphans_;  // by namespace
  std::map<std::string, std::set<Key>, std::less<>> sets_of_;          // by Deployment uid
  std::map<std::string, std::int64_t, std::less<>> pods_of_;  // unfinished, by ReplicaSet uid
  std::map<std::string, std::string, std::less<>> deployment_of_set_;  // by ReplicaSet uid
  std::map<ActionId, Write> writes_;
  ActionId next_id_ = 1;
  const api::KindDesc* set_kind_;
};

}  // namespace plimsoll::controller
