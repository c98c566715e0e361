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

#include "agent/action.h"
#include "agent/devices/slice_content.h"
#include "agent/node_status.h"
#include "base/time.h"

namespace plimsoll::agent {

/// The drivers of simulated devices on all nodes of an agent: publishes their ResourceSlices, with
/// the taints that annotations of the nodes ask for, lets binding conditions of allocated devices
/// come true, and knows which claims a pod may use.
///
/// A pool's generation rises when more than one of its slices changes; else the one is replaced.
class DeviceDriver {
 public:
  /// Where the ids of its actions come from. The counter must outlive it.
  explicit DeviceDriver(ActionId& next_action) : next_action_(next_action) {}

  /// Of all nodes before anything is observed. It must outlive the driver.
  void AddNode(const HostedNode& node);

  /// The node is at the server, or its object has changed.
  void TakeNode(const ObjectPtr& node, Instant now, Actions& out);
  void ForgetNode(std::string_view node);
  /// News of a ResourceSlice or a ResourceClaim.
  void Take(const ObjectChanged& event, Instant now, Actions& out);
  /// False: the action is not one of these.
  bool Finish(const ActionFinished& event, Instant now, Actions& out);
  void Wake(Instant now, Actions& out);
  std::optional<Instant> NextWake() const;

  /// Why the pod cannot have its claims, in the kubelet's words; nothing when it can.
  std::optional<std::string> WhyUnprepared(const api::Object& pod) const;

 private:
  using ClaimName = std::pair<std::string, std::string>;  // namespace and name

  struct Slice {
    std::string name;
    ObjectPtr stored;
    /// What was written last and has not been seen yet.
    struct Written {
      std::string fingerprint;
      PoolNumbers pool;
      std::size_t taints = 0;
    };
    std::optional<Written> written;
    ActionId write = 0;     // under way
    Duration retry_wait{};  // grows with each refusal, and ends with a success of this slice alone
    std::optional<Instant> retry_at;
  };
  struct Node {
    const HostedNode* hosted = nullptr;
    ObjectPtr object;                 // null while it is not at the server
    std::vector<Slice> slices;        // as hosted
    bool is_stale = false;            // to be looked at again when what is under way has ended
    std::vector<std::string> faults;  // of annotations, as told
  };
  struct Pending {
    std::string node;  // of a slice; or …
    std::size_t slice = 0;
    ClaimName claim;
  };

  void Publish(Node& node, Instant now, Actions& out);
  void PublishPool(Node& node, const std::vector<std::size_t>& places,
                   const std::vector<SliceContent>& contents, Instant now, Actions& out);
  std::vector<DeviceHealth> HealthOf(Node& node, Actions& out);
  void TakeSlice(const ObjectPtr& before, const ObjectPtr& after, Instant now, Actions& out);
  /// A server that has the feature off takes taints without a word, and leaves them out.
  void TellIfDropped(const Node& node, const Slice& slice, Actions& out) const;
  void TakeClaim(const ObjectPtr& before, const ObjectPtr& after, Instant now);
  void FinishSlice(const Pending& pending, const Status& status, Instant now, Actions& out);
  /// The devices of the claim whose binding conditions are to be reported, and the latest delay.
  std::vector<BindingReport> BindingsOf(const api::ResourceClaim& claim, Duration& delay) const;
  void ReportBindings(const ClaimName& name, Instant now, Actions& out);
  const HostedSlice* FindPool(std::string_view driver, std::string_view pool) const;

  ActionId& next_action_;
  std::map<std::string, Node, std::less<>> nodes_;
  std::map<std::string, std::pair<std::string, std::size_t>, std::less<>> places_;  // of slices
  std::map<std::pair<std::string, std::string>, const HostedSlice*> pools_;
  std::map<ClaimName, ObjectPtr> claims_;
  std::map<ClaimName, Instant> bindings_;  // to be reported, and when
  std::set<std::pair<Instant, ClaimName>> bindings_due_;
  std::set<std::pair<Instant, std::string>> nodes_due_;
  std::map<ActionId, Pending> pending_;
};

}  // namespace plimsoll::agent
