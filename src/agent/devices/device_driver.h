#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/devices/slice_content.h"
#include "agent/node_status.h"
#include "agent/runtime.h"
#include "base/time.h"

namespace plimsoll::agent {

/// Drivers of the simulated devices on all nodes of an agent. It publishes their ResourceSlices,
/// with taints from annotations of the nodes. It sets the binding conditions of allocated devices,
/// and decides whether a pod may use its claims.
///
/// A pool's generation grows if more than one of its slices changes; otherwise one is replaced.
class DeviceDriver {
 public:
  /// `next_action` is the counter for action ids. It must outlive this object.
  explicit DeviceDriver(ActionId& next_action) : next_action_(next_action) {}

  /// Must be called for all nodes, before any event. The node must outlive the driver.
  void AddNode(const HostedNode& node);

  /// Handles a node that was created or changed on the server.
  void ObserveNode(const ObjectPtr& node, const Turn& turn);
  void ForgetNode(std::string_view node);
  /// Handles a change of a ResourceSlice or a ResourceClaim.
  void Observe(const ObjectChanged& event, const Turn& turn);
  /// Returns false if the action is not one of this driver's.
  bool Finish(const ActionFinished& event, const Turn& turn);
  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const;

  /// Returns why the pod cannot use its claims, in the kubelet's words, or nothing if it can.
  std::optional<std::string> WhyUnprepared(const api::Object& pod) const;

 private:
  using ClaimName = std::pair<std::string, std::string>;  // namespace and name

  struct Slice {
    std::string name;
    ObjectPtr stored;
    /// Last write that no watch event has confirmed yet.
    struct Written {
      std::string fingerprint;
      PoolNumbers pool;
      std::size_t taints = 0;
    };
    std::optional<Written> written;
    ActionId write = 0;       // in flight
    bool is_deleted = false;  // during the write in flight
    Duration retry_wait{};    // doubled by each failure; reset by a success of this slice
    std::optional<Instant> retry_at;
  };
  struct Node {
    const HostedNode* hosted = nullptr;
    ObjectPtr object;                 // null while it is not on the server
    std::vector<Slice> slices;        // in the order of hosted->slices
    bool is_stale = false;            // publish again when the writes in flight have ended
    std::vector<std::string> faults;  // annotation errors that were reported
  };
  struct Pending {
    std::string node;  // for a slice; else `claim` is set
    std::size_t slice = 0;
    ClaimName claim;
  };

  void Publish(Node& node, const Turn& turn);
  void PublishPool(Node& node, const std::vector<std::size_t>& places,
                   const std::vector<SliceContent>& contents, const Turn& turn);
  std::vector<DeviceHealth> HealthOf(Node& node, const Turn& turn);
  void ObserveSlice(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  /// Reports taints that the server dropped: with the feature gate off it does so silently.
  void WarnIfTaintsWereDropped(const Node& node, const Slice& slice, const Turn& turn) const;
  void ObserveClaim(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void FinishSlice(const Pending& pending, const Status& status, const Turn& turn);
  /// Returns the claim's devices whose binding conditions must be reported. Sets the longest delay.
  std::vector<BindingReport> BindingsOf(const api::ResourceClaim& claim, Duration& delay) const;
  void ReportBindings(const ClaimName& name, const Turn& turn);
  const HostedSlice* FindPool(std::string_view driver, std::string_view pool) const;

  ActionId& next_action_;
  std::map<std::string, Node, std::less<>> nodes_;
  std::map<std::string, std::pair<std::string, std::size_t>, std::less<>> places_;  // by slice
  std::map<std::pair<std::string, std::string>, const HostedSlice*> pools_;
  std::map<ClaimName, ObjectPtr> claims_;
  std::map<ClaimName, Instant> bindings_;  // time of the report
  std::set<std::pair<Instant, ClaimName>> bindings_due_;
  std::set<std::pair<Instant, std::string>> nodes_due_;
  std::map<ActionId, Pending> pending_;
};

}  // namespace plimsoll::agent
