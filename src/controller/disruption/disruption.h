#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/selector/selector.h"
#include "base/time.h"
#include "controller/queued_controller.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Maintains the status of PodDisruptionBudgets, by which the API server allows or rejects
/// evictions: upstream's disruption controller.
class DisruptionController final : public QueuedController {
 public:
  /// A pod that is not deleted this long after its granted eviction counts as healthy again.
  static constexpr Duration kDeletionTimeout = std::chrono::minutes(2);

  std::string_view name() const override { return "disruption-controller"; }
  std::string_view component() const override { return "controllermanager"; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("disruption"));
  }
  std::span<const WatchedKind> watched() const override;

 private:
  using Key = std::pair<std::string, std::string>;  // namespace, name
  using Pods = std::map<std::string, ObjectPtr, std::less<>>;

  struct Budget {
    ObjectPtr object;
    api::Selector selector = api::Selector::Nothing();
    Pods pods;  // pods that it selects
    ActionId write = 0;
    bool is_stale = false;
    Instant last_sync = Instant::min();
    std::string told;  // last event recorded about it
  };
  /// An object with replicas.
  struct Scaled {
    std::int64_t replicas = 0;
    std::string controller_uid;  // for a ReplicaSet: uid of its Deployment
  };
  struct Expected {
    std::int64_t pods = 0;
    std::int64_t healthy = 0;  // minimum number of healthy pods
    bool has_unmanaged = false;
  };
  struct Disrupted {
    std::map<std::string, std::string, std::less<>> pods;  // eviction times by pod name
    std::optional<Instant> recheck;
  };

  void OnChange(const ObjectChanged& change, Instant now) override;
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnBudgetChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnScaledChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void Finish(const ActionFinished& finished, const Turn& turn) override;
  void Enqueue(const Key& key, Budget& budget, Instant now);
  void Run(const Turn& turn) override;
  std::optional<Instant> NextDue() const override { return queue_.NextWake(); }
  void Sync(const Key& key, Budget& budget, const Turn& turn);

  Result<Expected> Expect(const Budget& budget) const;
  Result<std::int64_t> CountScales(const Budget& budget, bool& has_unmanaged) const;
  const Scaled* FindScale(std::string_view uid) const;
  static Disrupted FindDisrupted(const Budget& budget, const Turn& turn);
  static void Record(Budget& budget, EventType type, std::string_view reason, std::string message,
                     const Turn& turn);
  void WriteStatus(const Key& key, Budget& budget, const Expected& expected,
                   const Disrupted& disrupted, const Turn& turn);
  void WriteFailure(const Key& key, Budget& budget, const std::string& message, const Turn& turn);
  void Patch(const Key& key, Budget& budget, std::string patch, const Turn& turn);

  WorkQueue<Key> queue_;
  std::map<Key, Budget> budgets_;
  std::map<std::string, Pods, std::less<>> pods_;      // by namespace
  std::map<std::string, Scaled, std::less<>> scaled_;  // by uid
  std::map<ActionId, Key> writes_;
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
