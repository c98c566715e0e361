#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin_for_test.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/plugins/registry.h"

/// For tests: a cluster, and one plugin whose single-node and set forms are both called.
namespace plimsoll::scheduler {

class PluginBench {
 public:
  /// Marks a score on which the two forms differ.
  static constexpr std::int64_t kFormsDiffer = -1;

  explicit PluginBench(std::string_view plugin, const PluginArgs& args = {})
      : cluster_(match::Rules{}), plugin_{.plugin = MakePlugin(plugin, cluster_, args)} {}

  ClusterState& cluster() { return cluster_; }
  template <class Base>
  Base& plugin_as() {
    return As<Base>(*plugin_.plugin);
  }

  /// Stores an object in the table of its kind.
  void Put(const ObjectPtr& object) {
    const std::string_view kind = object->kind().kind;
    if (kind == "Node") {
      cluster_.UpsertNode(*object->As<api::Node>());
    } else if (kind == "Pod") {
      cluster_.UpsertPod(object);
    } else {
      TableOf(kind).Put(object);
    }
  }

  /// Returns `Success`, or the code and the reasons: of PreFilter (under the empty name), or by
  /// node. Marks results on which the forms differ.
  std::map<std::string, std::string> Ask(const ObjectPtr& pod) {
    const auto pod_class = cluster_.ClassOf(pod);
    const PodUnderTest question{kNoPod, *pod->As<api::Pod>(), *pod_class};
    const PreFilterOutcome outcome = plugin_.BeginFilter(question);
    if (!outcome.verdict.ok()) return {{"", Text(outcome.verdict)}};
    std::map<std::string, std::string> answers;
    Bitmap set = cluster_.nodes();
    plugin_.filter->Filter(outcome.state.get(), set);
    cluster_.nodes().ForEach([&](std::size_t i) {
      const NodeView node = cluster_.view(static_cast<NodeSlot>(i));
      const Verdict verdict = plugin_.filter->Judge(outcome.state.get(), node);
      const std::string name(cluster_.node_name(node.slot));
      answers[name] = Text(verdict);
      if (set.Test(i) != verdict.ok()) answers[name] += " (not so in the set form)";
      if (plugin_.filter->Accepts(outcome.state.get(), node) != verdict.ok()) {
        answers[name] += " (not so in the short form)";
      }
    });
    return answers;
  }

  /// Returns the raw score of each node; empty if PreScore skips.
  std::map<std::string, std::int64_t> Scores(const ObjectPtr& pod) {
    const auto pod_class = cluster_.ClassOf(pod);
    const PodUnderTest question{kNoPod, *pod->As<api::Pod>(), *pod_class};
    const PreFilterOutcome outcome = plugin_.BeginFilter(question);
    const PreScoreOutcome before =
        plugin_.BeginScore(*pod_class, outcome.state.get(), cluster_.nodes());
    std::map<std::string, std::int64_t> scores;
    if (!before.verdict.ok()) return scores;
    std::vector<std::int64_t> column(cluster_.slot_limit(), -1);
    plugin_.score->Score(before.state.get(), cluster_.nodes(), column);
    cluster_.nodes().ForEach([&](std::size_t i) {
      const NodeView node = cluster_.view(static_cast<NodeSlot>(i));
      const std::string name(cluster_.node_name(node.slot));
      scores[name] = plugin_.score->ScoreOf(before.state.get(), node);
      if (scores[name] != column[i]) scores[name] = kFormsDiffer;
    });
    return scores;
  }

  static std::string Text(const Verdict& verdict) {
    std::string text(ToText(verdict.code));
    if (!verdict.reasons.empty()) text += ": " + verdict.Message();
    return text;
  }

 private:
  ObjectTable& TableOf(std::string_view kind) {
    const std::map<std::string_view, ObjectTable*> tables{
        {"PersistentVolume", &cluster_.volumes},
        {"PersistentVolumeClaim", &cluster_.claims},
        {"StorageClass", &cluster_.storage_classes},
        {"CSINode", &cluster_.csi_nodes},
        {"CSIDriver", &cluster_.csi_drivers},
        {"CSIStorageCapacity", &cluster_.csi_capacities},
        {"VolumeAttachment", &cluster_.volume_attachments},
    };
    return *tables.at(kind);
  }

  ClusterState cluster_;
  EnabledPlugin plugin_;
};

inline constexpr std::string_view kStorage = "storage.k8s.io/v1";

inline ObjectPtr LabelledNode(std::string_view name, std::string_view labels) {
  return NodeFromYaml(name, "{}", "{}", "labels: " + std::string(labels));
}
inline ObjectPtr ANode(std::string_view name) { return NodeFromYaml(name); }

/// Returns a pod with one volume per claim.
inline ObjectPtr PodWithClaims(std::string_view name, const std::vector<std::string>& claims,
                               std::string_view node = {}) {
  std::string volumes;
  for (const std::string& claim : claims) {
    volumes += (volumes.empty() ? "" : ", ");
    volumes += "{name: v-" + claim + ", persistentVolumeClaim: {claimName: " + claim + "}}";
  }
  return PodFromYaml(name, "{nodeName: '" + std::string(node) + "', volumes: [" + volumes + "]}");
}

inline ObjectPtr AClaim(std::string_view name, std::string_view spec,
                        std::string_view metadata = {}, std::string_view status = "{}") {
  return Named("PersistentVolumeClaim", "default", name,
               "spec: " + std::string(spec) + "\nstatus: " + std::string(status), metadata);
}
inline ObjectPtr BoundClaimTo(std::string_view name, std::string_view volume) {
  return AClaim(name, "{volumeName: " + std::string(volume) + ", storageClassName: fast}",
                "annotations: {pv.kubernetes.io/bind-completed: 'yes'}", "{phase: Bound}");
}
/// Returns a claim of class `fast`, which binds at WaitForFirstConsumer.
inline ObjectPtr WaitingClaim(std::string_view name, std::string_view size,
                              std::string_view metadata = {}) {
  return AClaim(name,
                "{storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: "
                "{storage: " +
                    std::string(size) + "}}}",
                metadata, "{phase: Pending}");
}
inline ObjectPtr AVolume(std::string_view name, std::string_view size, std::string_view spec = {},
                         std::string_view metadata = {}, std::string_view phase = "Available") {
  std::string text =
      "spec: {storageClassName: fast, accessModes: [ReadWriteOnce], capacity: "
      "{storage: " +
      std::string(size) + "}";
  if (!spec.empty()) text.append(", ").append(spec);
  return Named("PersistentVolume", "", name,
               text + "}\nstatus: {phase: " + std::string(phase) + "}", metadata);
}
/// Returns the spec of a volume that is usable only on nodes with this label.
inline std::string OnlyWhere(std::string_view key, std::string_view value) {
  return "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: " +
         std::string(key) + ", operator: In, values: ['" + std::string(value) + "']}]}]}}";
}
inline ObjectPtr AClass(std::string_view name, std::string_view provisioner,
                        std::string_view mode = "WaitForFirstConsumer",
                        std::string_view rest = {}) {
  std::string text = "provisioner: " + std::string(provisioner);
  if (!mode.empty()) text.append("\nvolumeBindingMode: ").append(mode);
  if (!rest.empty()) text.append("\n").append(rest);
  return Named("StorageClass", "", name, text, {}, kStorage);
}

}  // namespace plimsoll::scheduler
