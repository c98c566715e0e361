#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "base/metrics.h"
#include "base/time.h"
#include "controller/controller.h"
#include "controller/deadline_heap.h"
#include "controller/node_lifecycle/node_taints.h"
#include "controller/node_lifecycle/zones.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Upstream's flags and their defaults.
struct NodeLifecycleOptions {
  Duration node_monitor_period = std::chrono::seconds(5);
  Duration node_monitor_grace_period = std::chrono::seconds(50);
  Duration node_startup_grace_period = std::chrono::seconds(60);
  ZoneOptions zones = {};
};

/// Sets the conditions of unresponsive nodes to Unknown and derives taints from conditions:
/// upstream's node-lifecycle-controller. See README.md.
///
/// A lease renewal only stores its time. The node's deadline in the heap is updated only when it is
/// reached.
class NodeLifecycle final : public Controller {
 public:
  static constexpr RetryOptions kRetry = {.min = std::chrono::milliseconds(20),
                                          .max = std::chrono::seconds(30)};

  /// `metrics` must outlive the controller.
  explicit NodeLifecycle(MetricsRegistry& metrics, const NodeLifecycleOptions& options = {});

  std::string_view name() const override { return "node-lifecycle-controller"; }
  std::string_view component() const override { return "node-controller"; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

 private:
  using NodeId = Interner::Id;
  using PodId = Interner::Id;

  /// Health of a node as counted in its zone.
  enum class Standing : std::uint8_t { Uncounted, Ready, Unhealthy };

  struct Write {
    ActionId id = 0;         // 0: no write in flight
    ObjectPtr object;        // version from which the patch was made
    bool announces = false;  // the patch makes a ready node unready
  };
  /// A node that exists, or that has a lease or pods.
  struct Node {
    ObjectPtr object;                // null: the node does not exist
    std::optional<Instant> renewed;  // renew time of its lease
    Instant heartbeat;               // of its status
    Instant alive;                   // time at which we last observed a heartbeat
    bool is_lapsed = false;          // the grace period is over
    bool is_dirty = false;
    Standing standing = Standing::Uncounted;
    NoExecuteWish wish = NoExecuteWish::Keep;
    Zones::Id zone = 0;
    Write write;
    std::vector<PodId> pods;
  };
  struct Pod {
    ObjectPtr object;
    NodeId node = Interner::kNone;
    std::uint32_t place = 0;  // index in the node's pods
    ActionId write = 0;
  };
  struct Target {
    bool is_pod = false;
    std::uint32_t id = 0;
  };

  // Event handlers (node_lifecycle.cc).
  void Start(const Turn& turn);
  void OnLeaseChange(const api::Object& lease, bool is_gone, Instant now);
  void OnNodeChange(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void AddNode(NodeId id, const Turn& turn);
  void ChangeNode(NodeId id, const ObjectPtr& after, const Turn& turn);
  void ForgetNode(NodeId id, const Turn& turn);
  NodeId AcquireNode(std::string_view name);
  void ReleaseNode(NodeId id);
  void Finish(const ActionFinished& event, const Turn& turn);
  void FinishNode(NodeId id, const Status& status, const Turn& turn);

  // Node health (node_health.cc).
  void Sweep(const Turn& turn);
  void SeeAlive(NodeId id, Instant now);
  /// Returns the time at which the node's grace period ends.
  Instant DeadlineOf(const Node& node) const;
  void Await(NodeId id);
  void MarkDirty(NodeId id);
  /// Returns true if Ready is True and will not be set to Unknown by a write in flight.
  bool IsReady(const Node& node) const;
  void Count(Node& node);
  void SetStanding(Node& node, Standing standing);
  void Evaluate(NodeId id, const Turn& turn);
  void UpdateZones(const Turn& turn);
  void TaintNext(const Turn& turn);
  /// Sends the next write that the node needs, unless one is in flight.
  void Sync(NodeId id, const Turn& turn);
  void Patch(NodeId id, std::string_view subresource, std::string patch, const Turn& turn);
  void Announce(NodeId id, const Turn& turn);

  // Pods on unready nodes (node_pods.cc).
  void OnPodChange(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void UpsertPod(const ObjectPtr& object, const Turn& turn);
  void ForgetPod(std::string_view uid);
  void UnbindPod(Pod& pod);
  void MarkNotReady(PodId id, const Turn& turn);
  void FinishPod(PodId id, const Status& status, const Turn& turn);

  NodeLifecycleOptions options_;
  Zones zones_;
  Interner node_names_;
  Interner pod_uids_;
  std::vector<Node> nodes_;
  std::vector<Pod> pods_;
  DeadlineHeap deadlines_;  // by node; never later than the end of the grace period
  std::vector<NodeId> dirty_;
  std::map<ActionId, Target> writes_;
  WorkQueue<NodeId> node_retries_{kRetry};
  WorkQueue<PodId> pod_retries_{kRetry};
  ActionId next_id_ = 1;
  Instant next_sweep_;
  bool is_synced_ = false;
};

}  // namespace plimsoll::controller
