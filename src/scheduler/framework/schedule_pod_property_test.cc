// The fast path must return what the plain path returns, whatever happened before. Rankings,
// columns and counts that survived a random history are compared with those of a fresh cluster that
// holds the same objects.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "scheduler/default_profile_for_test.h"
#include "scheduler/framework/framework.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::array<std::string_view, 12> kTemplates = {
    "containers: [{name: c, resources: {requests: {cpu: '1', memory: 1Gi}}}]",
    "containers: [{name: c, resources: {requests: {cpu: '2', memory: 512Mi}}}], priority: 10, "
    "tolerations: [{key: risk, operator: Lt, value: '50'}]",
    "containers: [{name: c}], priority: 20, "
    "tolerations: [{key: risk, operator: Gt, value: '20'}, {key: soft, operator: Exists}]",
    "containers: [{name: c, resources: {requests: {cpu: 100m}}}], nodeSelector: {disk: ssd}",
    "containers: [{name: c, resources: {requests: {cpu: 500m, memory: 2Gi}}}], "
    "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: ["
    "{weight: 70, preference: {matchExpressions: [{key: zone, operator: In, values: [a, b]}]}}, "
    "{weight: 30, preference: {matchExpressions: [{key: disk, operator: Exists}]}}]}}",
    "containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}]",
    "containers: [{name: c, resources: {requests: {cpu: '1'}}}], topologySpreadConstraints: ["
    "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "
    "labelSelector: {matchLabels: {app: web}}}]",
    "containers: [{name: c}], topologySpreadConstraints: ["
    "{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, nodeTaintsPolicy: Honor, "
    "labelSelector: {matchLabels: {app: web}}}]",
    "containers: [{name: c}], priority: 5, affinity: {podAntiAffinity: "
    "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: host, "
    "labelSelector: {matchLabels: {app: web}}}]}}",
    "containers: [{name: c}], affinity: {podAffinity: "
    "{preferredDuringSchedulingIgnoredDuringExecution: [{weight: 10, podAffinityTerm: "
    "{topologyKey: zone, labelSelector: {matchLabels: {app: db}}}}]}}",
    "containers: [{name: c, image: big}], affinity: {nodeAffinity: "
    "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
    "{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}}",
    "containers: [{name: c, resources: {requests: {cpu: '1', gpu.io/x: '1'}}}], priority: 30, "
    "tolerations: [{operator: Exists}]",
};
constexpr std::array<std::string_view, 3> kApps = {"web", "db", "other"};

/// The current objects, and a cluster state that has seen their whole history.
class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 6; ++i) PutNode();
  }

  void Step() {
    switch (random_.Below(9)) {
      case 0:
      case 1:
      case 2:
        return PutNode();
      case 3:
        return RemoveNode();
      case 4:
        return RemovePod();
      case 5:
        return Forget();
      case 6:
        return NominatePod();
      default:
        return Bind();
    }
  }

  /// Places a new pod in the old cluster and in a fresh one.
  void Try() {
    const std::string name = "p" + std::to_string(++names_);
    const std::size_t number = random_.Below(kTemplates.size());
    const std::string labels = Labels();
    pods_[name] = MakePod(name, kTemplates[number], labels, {});
    const PodId id = cluster_.UpsertPod(pods_[name]);
    if (random_.Chance(0.1)) NominatePod(name);
    Compare(name, id, number);
    if (testing::Test::HasFatalFailure()) return;
    if (const NodeSlot slot = framework_.SchedulePod(Test(cluster_, id), random_).node;
        slot != kNoNode && random_.Chance(0.8)) {
      nominated_.erase(name);
      assumed_[name] = cluster_.node_name(slot);
      cluster_.AssumePod(id, slot);
    } else if (random_.Chance(0.7)) {
      Erase(name);
    }
  }

 private:
  static ObjectPtr MakePod(const std::string& name, std::string_view spec,
                           const std::string& labels, std::string_view node) {
    std::string text = "{";
    text.append(spec);
    if (!node.empty()) text.append(", nodeName: ").append(node);
    return PodFromYaml(name, text + "}", labels);
  }
  static PodUnderTest Test(const ClusterState& cluster, PodId id) {
    return {id, *cluster.pod(id).pod, *cluster.pod(id).pod_class};
  }
  static std::set<std::string> NamesOf(const ClusterState& cluster,
                                       const std::vector<NodeSlot>& slots) {
    std::set<std::string> names;
    for (const NodeSlot slot : slots) names.emplace(cluster.node_name(slot));
    return names;
  }

  void Compare(const std::string& name, PodId id, std::size_t number) {
    ClusterState fresh{match::Rules{}};
    for (const auto& [key, node] : nodes_) fresh.UpsertNode(*node->As<api::Node>());
    for (const auto& [key, pod] : pods_) fresh.UpsertPod(pod);
    for (const auto& [key, node] : assumed_) {
      fresh.AssumePod(fresh.FindPod(pods_[key]->metadata()), *fresh.FindNode(node));
    }
    for (const auto& [key, node] : nominated_) {
      fresh.NominatePod(fresh.FindPod(pods_[key]->metadata()), *fresh.FindNode(node));
    }
    Framework plain(fresh, MakeDefaultProfile(fresh, {}), {});
    const PodId fresh_id = fresh.FindPod(pods_[name]->metadata());
    const Report report = plain.EvaluateAllNodes(Test(fresh, fresh_id));
    std::set<std::string> best = NamesOf(fresh, report.best);
    for (const Report::Node& node : report.nodes) {
      if (node.slot == fresh.pod(fresh_id).nominated && node.verdict.ok()) {
        best = {std::string(fresh.node_name(node.slot))};
      }
    }
    const Placement placement = framework_.SchedulePod(Test(cluster_, id), random_);
    ASSERT_TRUE(placement.error.ok()) << placement.error.Message();
    if (placement.node == kNoNode) {
      ASSERT_TRUE(best.empty()) << "template " << number;
    } else {
      ASSERT_TRUE(best.contains(std::string(cluster_.node_name(placement.node))))
          << "template " << number << ", " << cluster_.node_name(placement.node);
    }
    ASSERT_EQ(framework_.Explain(Test(cluster_, id)).FilterMessage(),
              plain.Explain(Test(fresh, fresh_id)).FilterMessage())
        << "template " << number;
  }

  std::string Labels() {
    return "labels: {app: " + std::string(kApps[random_.Below(kApps.size())]) + "}";
  }

  void PutNode() {
    const std::string name = "n" + std::to_string(random_.Below(12));
    const auto pick = [&](std::initializer_list<std::string_view> texts) {
      return std::string(texts.begin()[random_.Below(texts.size())]);
    };
    const std::string status =
        "{allocatable: {cpu: '" + pick({"2", "4", "8"}) + "', memory: " + pick({"4Gi", "16Gi"}) +
        ", pods: '" + pick({"3", "5", "110"}) + "'" + pick({"", ", gpu.io/x: '1'"}) + "}" +
        pick({"", ", images: [{names: ['big:latest'], sizeBytes: 600000000}]"}) + "}";
    const std::string spec = "{taints: [" +
                             pick({"", "{key: risk, value: '10', effect: NoSchedule}, ",
                                   "{key: risk, value: '40', effect: NoSchedule}, "}) +
                             pick({"{key: soft, effect: PreferNoSchedule}",
                                   "{key: risk, value: '80', effect: NoExecute}",
                                   "{key: other, effect: PreferNoSchedule}"}) +
                             "], unschedulable: " + pick({"false", "false", "false", "true"}) + "}";
    const std::string labels = "labels: {zone: " + pick({"a", "b", "c"}) + ", host: " + name +
                               pick({"", ", disk: ssd"}) + "}";
    nodes_[name] = NodeFromYaml(name, status, spec, labels);
    cluster_.UpsertNode(*nodes_[name]->As<api::Node>());
  }

  void RemoveNode() {
    if (nodes_.size() < 3) return;
    const std::string name = Some(nodes_);
    nodes_.erase(name);
    cluster_.RemoveNode(name);
    std::erase_if(assumed_, [&](const auto& one) { return one.second == name; });
    std::erase_if(nominated_, [&](const auto& one) { return one.second == name; });
  }

  void Bind() {
    const std::string name = "p" + std::to_string(++names_);
    pods_[name] =
        MakePod(name, kTemplates[random_.Below(kTemplates.size())], Labels(), Some(nodes_));
    cluster_.UpsertPod(pods_[name]);
  }

  void RemovePod() {
    if (!pods_.empty()) Erase(Some(pods_));
  }

  void Erase(const std::string& name) {
    cluster_.RemovePod(pods_[name]->metadata());
    pods_.erase(name);
    assumed_.erase(name);
    nominated_.erase(name);
  }

  /// Forgets an assumed pod.
  void Forget() {
    if (assumed_.empty()) return;
    const std::string name = Some(assumed_);
    cluster_.ForgetPod(cluster_.FindPod(pods_[name]->metadata()));
    assumed_.erase(name);
    if (random_.Chance(0.5)) Erase(name);
  }

  void NominatePod() {
    for (const auto& [name, pod] : pods_) {
      if (!pod->As<api::Pod>()->spec.node_name.empty() || assumed_.contains(name)) continue;
      return NominatePod(name);
    }
  }

  void NominatePod(const std::string& name) {
    const std::string node = Some(nodes_);
    nominated_[name] = node;
    cluster_.NominatePod(cluster_.FindPod(pods_[name]->metadata()), *cluster_.FindNode(node));
  }

  template <class Map>
  std::string Some(const Map& map) {
    return std::next(map.begin(), static_cast<std::ptrdiff_t>(random_.Below(map.size())))->first;
  }

  Random random_;
  int names_ = 0;
  std::map<std::string, ObjectPtr> nodes_;
  std::map<std::string, ObjectPtr> pods_;
  std::map<std::string, std::string> assumed_;    // pod to node
  std::map<std::string, std::string> nominated_;  // pod to node
  ClusterState cluster_{match::Rules{}};
  Framework framework_{cluster_, MakeDefaultProfile(cluster_, {}), {}};
};

TEST(PlacePropertyTest, TheFastWayFindsWhatThePlainWayFinds) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    World world(seed);
    for (int step = 0; step < 40; ++step) {
      world.Step();
      world.Try();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
