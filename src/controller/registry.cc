#include "controller/registry.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/suggest.h"
#include "controller/daemon_set/daemon_set.h"
#include "controller/deployment/deployment.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "controller/disruption/disruption.h"
#include "controller/eviction_history/eviction_history.h"
#include "controller/eviction_policy/eviction_policy_controller.h"
#include "controller/eviction_request/eviction_request.h"
#include "controller/garbage_collector/garbage_collector.h"
#include "controller/job/job.h"
#include "controller/namespace/namespace_controller.h"
#include "controller/node_taint_rule/node_taint_rule.h"
#include "controller/pod_gc/pod_gc.h"
#include "controller/replica_set/replica_set.h"
#include "controller/resource_claim/resource_claim_controller.h"
#include "controller/stateful_set/stateful_set.h"
#include "controller/taint_eviction/taint_eviction.h"
#include "controller/ttl/ttl_controller.h"
#include "controller/ttl_after_finished/ttl_after_finished.h"
#include "controller/volume/volume_binder.h"

namespace plimsoll::controller {
namespace {

using Made = std::unique_ptr<Controller>;

struct Entry {
  std::string_view name;
  /// Returns null if the feature gate is off. Null for a controller that others need: it is made
  /// before them.
  Made (*make)(const ControllerParts& parts);
};

/// Makes a controller that needs no dependencies.
template <class T>
Made Make(const ControllerParts& /*parts*/) {
  return std::make_unique<T>();
}
/// Makes a controller that matches pods with nodes.
template <class T>
Made MakeWithRules(const ControllerParts& parts) {
  return std::make_unique<T>(parts.rules);
}
/// Makes a controller that exports metrics.
template <class T>
Made MakeWithMetrics(const ControllerParts& parts) {
  return std::make_unique<T>(parts.metrics);
}
Made MakeReplicationController(const ControllerParts& /*parts*/) {
  return std::make_unique<ReplicaSetController>(
      ReplicaSetController::Flavor::ReplicationController);
}
Made MakeTaintEviction(const ControllerParts& parts) {
  return std::make_unique<TaintEviction>(parts.gates, parts.rules, parts.metrics,
                                         parts.eviction_gate, parts.eviction_journal);
}
Made MakeDeviceTaintEviction(const ControllerParts& parts) {
  if (!parts.gates.Enabled(api::Feature::DRADeviceTaints)) return nullptr;
  return std::make_unique<DeviceTaintEviction>(parts.gates, parts.rules, parts.metrics,
                                               parts.eviction_gate, parts.eviction_journal);
}
Made MakeEvictionPolicy(const ControllerParts& parts) {
  return std::make_unique<EvictionPolicyController>(parts.eviction_gate);
}
Made MakeEvictionRequest(const ControllerParts& parts) {
  if (!parts.gates.Enabled(api::Feature::EvictionRequestAPI)) return nullptr;
  return std::make_unique<EvictionRequestController>();
}
Made MakeNodeLifecycle(const ControllerParts& parts) {
  return std::make_unique<NodeLifecycle>(parts.metrics, parts.settings.node_lifecycle);
}
Made MakeNodeTaintRule(const ControllerParts& parts) {
  const bool tracks_owners = parts.gates.Enabled(api::Feature::PlimsollTaintOwnership);
  return std::make_unique<NodeTaintRuleController>(NodeTaintRuleOptions{
      .owns_single_taints = parts.settings.owns_single_taints && tracks_owners});
}

// A new controller needs one line here.
constexpr std::array kEntries = {
    Entry{"daemonset-controller", MakeWithRules<DaemonSetController>},
    Entry{"deployment-controller", Make<DeploymentController>},
    Entry{DeviceTaintEviction::kName, MakeDeviceTaintEviction},
    Entry{"disruption-controller", Make<DisruptionController>},
    Entry{EvictionHistory::kName, nullptr},
    Entry{EvictionPolicyController::kName, MakeEvictionPolicy},
    Entry{EvictionRequestController::kName, MakeEvictionRequest},
    Entry{"garbage-collector-controller", Make<GarbageCollector>},
    Entry{"job-controller", Make<JobController>},
    Entry{"namespace-controller", Make<NamespaceController>},
    Entry{"node-lifecycle-controller", MakeNodeLifecycle},
    Entry{NodeTaintRuleController::kName, MakeNodeTaintRule},
    Entry{"persistentvolume-binder-controller", Make<VolumeBinder>},
    Entry{"pod-garbage-collector-controller", MakeWithMetrics<PodGc>},
    Entry{"replicaset-controller", Make<ReplicaSetController>},
    Entry{"replicationcontroller-controller", MakeReplicationController},
    Entry{"resourceclaim-controller", MakeWithMetrics<ResourceClaimController>},
    Entry{"statefulset-controller", Make<StatefulSetController>},
    Entry{"taint-eviction-controller", MakeTaintEviction},
    Entry{"ttl-after-finished-controller", Make<TtlAfterFinishedController>},
    Entry{"ttl-controller", Make<TtlController>},
};

const Entry* FindEntry(std::string_view name) {
  for (const Entry& entry : kEntries) {
    const std::string_view stem = entry.name.substr(0, entry.name.rfind("-controller"));
    if (name == entry.name || name == stem) return &entry;
  }
  return nullptr;
}

std::unexpected<Error> NoSuchController(std::string_view name) {
  std::string message = "there is no controller \"" + std::string(name) + "\"";
  const std::vector<std::string_view> known = ControllerNames();
  if (const auto nearest = Nearest(name, std::vector<std::string>(known.begin(), known.end()))) {
    message += "; did you mean \"" + std::string(*nearest) + "\"?";
  }
  return Fail(Reason::Invalid, std::move(message));
}

}  // namespace

std::vector<std::string_view> ControllerNames() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kEntries) names.push_back(entry.name);
  return names;
}

Result<std::vector<std::unique_ptr<Controller>>> MakeControllers(std::string_view list,
                                                                 const ControllerParts& parts) {
  bool has_all = false;
  std::map<const Entry*, bool> named;  // true: enabled
  while (!list.empty()) {
    std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    if (item == "*") {
      has_all = true;
      continue;
    }
    const bool is_in = !item.starts_with('-');
    if (!is_in) item.remove_prefix(1);
    const Entry* const entry = FindEntry(item);
    if (entry == nullptr) return NoSuchController(item);
    named[entry] = is_in;
  }
  const auto is_enabled = [&](const Entry& entry) {
    const auto at = named.find(&entry);
    return at == named.end() ? has_all : at->second;
  };
  ControllerParts shared = parts;
  std::unique_ptr<EvictionHistory> history;
  if (is_enabled(*FindEntry(EvictionHistory::kName))) {
    history = std::make_unique<EvictionHistory>();
    shared.eviction_journal = history.get();
  }
  if (is_enabled(*FindEntry(EvictionPolicyController::kName))) {
    shared.eviction_gate = std::make_shared<EvictionGate>(shared.metrics, shared.eviction_journal);
  }
  std::vector<std::unique_ptr<Controller>> made;
  for (const Entry& entry : kEntries) {
    if (!is_enabled(entry)) continue;
    Made controller = entry.make == nullptr ? std::move(history) : entry.make(shared);
    if (controller == nullptr) continue;
    if (parts.queues != nullptr) controller->MeasureQueues(*parts.queues);
    made.push_back(std::move(controller));
  }
  return made;
}

bool IgnoresEvictionPolicies(std::span<const std::unique_ptr<Controller>> controllers) {
  bool evicts = false;
  bool has_gate = false;
  for (const auto& one : controllers) {
    const std::string_view name = one->name();
    evicts = evicts || name == DeviceTaintEviction::kName || name == "taint-eviction-controller";
    has_gate = has_gate || name == EvictionPolicyController::kName;
  }
  return evicts && !has_gate;
}

}  // namespace plimsoll::controller
