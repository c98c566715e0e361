#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/interner.h"
#include "base/metrics.h"
#include "base/time.h"
#include "controller/controller.h"
#include "controller/limits.h"

namespace plimsoll::controller {

/// Deletes pods that no other component deletes: upstream's pod-garbage-collector-controller. Every
/// 20 seconds it deletes
///
/// - finished pods beyond the threshold: evicted ones first, then
///   the oldest;
/// - pods on nodes that have been missing for 40 seconds;
/// - terminating pods without a node;
/// - terminating pods on nodes that are not ready and have the taint
///   `node.kubernetes.io/out-of-service`.
///
/// An unfinished pod is set to Failed first. A failed write is retried at the next pass.
class PodGc final : public Controller {
 public:
  static constexpr Duration kPeriod = std::chrono::seconds(20);
  static constexpr Duration kQuarantine = std::chrono::seconds(40);

  /// `terminated_max` is upstream's `--terminated-pod-gc-threshold`; 0 keeps all finished pods.
  /// `metrics` must outlive the controller.
  explicit PodGc(MetricsRegistry& metrics, std::size_t terminated_max = kTerminatedPodsMax);

  std::string_view name() const override { return "pod-garbage-collector-controller"; }
  std::string_view component() const override { return "pod-garbage-collector"; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

 private:
  using PodId = Interner::Id;
  using NodeId = Interner::Id;
  /// Sort key in the order of deletion.
  using Rank = std::tuple<bool, std::string, std::string, PodId>;

  enum class Cause : std::uint8_t { Terminated, OutOfService, Orphaned, Unscheduled };

  struct Pod {
    ObjectPtr object;
    NodeId node = Interner::kNone;  // kNone: not bound
    std::uint32_t place = 0;        // index in the node's pods
    ActionId write = 0;             // 0: no write in flight
    bool is_failing = false;        // the write sets Failed; deletion follows
    Cause cause = Cause::Terminated;
  };
  /// A node that exists or to which pods are bound.
  struct Node {
    ObjectPtr object;  // null: the node does not exist
    std::vector<PodId> pods;
  };

  static std::string_view ToText(Cause cause);

  void OnNodeChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void AddPod(const ObjectPtr& object, Instant now);
  void ForgetPod(std::string_view uid);
  /// Adds the pod to, or removes it from, the sets below, as its object requires.
  void File(PodId id);
  void Unfile(PodId id);
  Rank RankOf(PodId id) const;
  void ReleaseNode(NodeId id);
  void Finish(const ActionFinished& event, const Turn& turn);

  void Collect(const Turn& turn);
  void CollectTerminated(const Turn& turn);
  void CollectOutOfService(const Turn& turn);
  void CollectOrphaned(const Turn& turn);
  void Remove(PodId id, Cause cause, const Turn& turn);
  void Delete(PodId id, const Turn& turn);
  ActionId Begin(PodId id);

  std::size_t terminated_max_;
  Interner pod_uids_;
  Interner node_names_;
  std::vector<Pod> pods_;
  std::vector<Node> nodes_;
  std::map<NodeId, Instant> missing_;  // missing nodes that pods are bound to, and since when
  std::set<Rank> terminated_;
  std::set<PodId> terminating_;  // bound
  std::set<PodId> unscheduled_;  // terminating
  std::map<ActionId, PodId> writes_;
  ActionId next_id_ = 1;
  Instant next_look_;
  bool is_synced_ = false;
  MetricFamily<Counter> deletions_;
  MetricFamily<Counter> errors_;
};

}  // namespace plimsoll::controller
