#include "golden_cluster.h"

#include "api/object.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/dra/devices.h"

namespace plimsoll::golden {

using scheduler::ClusterState;
using scheduler::ObjectPtr;
using scheduler::ObjectTable;

struct GoldenCluster::List {
  std::string_view member;  // field of the input
  std::string_view group;
  std::string_view kind;
  ObjectTable ClusterState::* table;  // null: nodes, pods and devices
};

GoldenCluster::GoldenCluster(Case& one)
    // Upstream has neither version operators nor expressions.
    : cluster_(match::Rules{.comparison = true, .semver = false, .evaluator = nullptr}) {
  static constexpr List kLists[] = {
      {"namespaces", "", "Namespace", &ClusterState::namespaces},
      {"services", "", "Service", &ClusterState::services},
      {"replicaSets", "apps", "ReplicaSet", &ClusterState::replica_sets},
      {"persistentVolumes", "", "PersistentVolume", &ClusterState::volumes},
      {"persistentVolumeClaims", "", "PersistentVolumeClaim", &ClusterState::claims},
      {"storageClasses", "storage.k8s.io", "StorageClass", &ClusterState::storage_classes},
      {"podDisruptionBudgets", "policy", "PodDisruptionBudget", &ClusterState::disruption_budgets},
      {"deviceClasses", "resource.k8s.io", "DeviceClass", nullptr},
      {"resourceSlices", "resource.k8s.io", "ResourceSlice", nullptr},
      {"deviceTaintRules", "resource.k8s.io", "DeviceTaintRule", nullptr},
      {"resourceClaims", "resource.k8s.io", "ResourceClaim", nullptr},
      {"nodes", "", "Node", nullptr},
      {"pods", "", "Pod", nullptr},
  };
  for (const List& list : kLists) Load(one, list);
  codec::Value* const pod = one.input.Find("pod");
  const ObjectPtr object =
      pod == nullptr ? nullptr : Decode(one, *pod, {"pod", "", "Pod", nullptr});
  if (object == nullptr) {
    if (!fault_) fault_ = "a case needs a pod";
    return;
  }
  pending_ = cluster_.UpsertPod(object);
  scheduler::PluginArgs args;
  args.names_taints = false;  // D5
  framework_ = std::make_unique<scheduler::Framework>(cluster_, MakeDefaultProfile(cluster_, args),
                                                      scheduler::FrameworkOptions{});
}

GoldenCluster::~GoldenCluster() = default;

ObjectPtr GoldenCluster::Decode(Case& one, codec::Value& tree, const List& list) {
  const std::shared_ptr<codec::Document> document(std::shared_ptr<void>(), &one.document);
  const api::ObjectSource source{
      .tree = &tree, .path = {}, .implied_kind = api::FindKind(list.group, "v1", list.kind)};
  auto decoded = api::DecodeObject(
      document, source,
      {.field_validation = api::FieldValidation::Ignore, .apply_defaults = false});
  if (decoded) return decoded->object;
  fault_ = std::string(list.member) + ": " + decoded.error().message;
  return nullptr;
}

void GoldenCluster::Load(Case& one, const List& list) {
  codec::Value* const items = one.input.Find(list.member);
  if (items == nullptr || items->is_null()) return;
  for (codec::Value& item : items->items()) {
    const ObjectPtr object = Decode(one, item, list);
    if (object == nullptr) return;
    if (list.table != nullptr) {
      (cluster_.*list.table).Put(object);
    } else if (const auto* const node = object->As<api::Node>(); node != nullptr) {
      cluster_.UpsertNode(*node);
    } else if (scheduler::Devices::Concerns(*object)) {
      cluster_.devices().Observe({.old_object = nullptr, .new_object = object});
    } else {
      cluster_.UpsertPod(object);
    }
  }
}

scheduler::PodUnderTest GoldenCluster::pod() const {
  const scheduler::PodRecord& record = cluster_.pod(pending_);
  return {pending_, *record.pod, *record.pod_class};
}

}  // namespace plimsoll::golden
