#include "match_cluster.h"

namespace plimsoll::bench {
namespace {

constexpr std::size_t kNumericTaints = 500;
constexpr std::size_t kVersionTaints = 300;
constexpr std::size_t kPlainTaints = 200;
constexpr std::size_t kTaints = kNumericTaints + kVersionTaints + kPlainTaints;
constexpr std::size_t kTaintsPerNode = 3;
constexpr std::size_t kLabels = 20;

constexpr std::string_view kSla = "plimsoll.io/sla";
constexpr std::string_view kCost = "plimsoll.io/cost";
constexpr std::string_view kKubelet = "node.kubernetes.io/kubelet-version";
constexpr std::string_view kDriver = "gpu.vendor.com/driver-version";
constexpr std::string_view kTeam = "plimsoll.io/team";

std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

MatchCluster::MatchCluster() {
  MakeTaints();
  MakeLabels();
}

void MatchCluster::MakeTaints() {
  for (std::size_t i = 0; i < kNumericTaints; ++i) {
    taints_.push_back({i % 2 == 0 ? kSla : kCost, Keep(std::to_string(i)), "NoSchedule", ""});
  }
  for (std::size_t i = 0; i < kVersionTaints; ++i) {
    const std::string version = "v1." + std::to_string(i / 12) + "." + std::to_string(i % 12);
    taints_.push_back({i % 2 == 0 ? kKubelet : kDriver, Keep(version),
                       i % 3 == 0 ? "NoExecute" : "NoSchedule", ""});
  }
  for (std::size_t i = 0; i < kPlainTaints; ++i) {
    taints_.push_back({kTeam, Keep("team-" + std::to_string(i)), "NoSchedule", ""});
  }
}

void MatchCluster::MakeLabels() {
  label_keys_ = {"kubernetes.io/hostname",
                 "topology.kubernetes.io/zone",
                 "topology.kubernetes.io/region",
                 "node.kubernetes.io/instance-type",
                 "kubernetes.io/arch",
                 "kubernetes.io/os",
                 "plimsoll.io/generation",
                 "plimsoll.io/kernel",
                 "plimsoll.io/rack",
                 "plimsoll.io/pool"};
  while (label_keys_.size() < kLabels) {
    label_keys_.push_back(Keep("example.com/label-" + std::to_string(label_keys_.size())));
  }
  label_values_.resize(kLabels);
  for (std::size_t key = 1; key < kLabels; ++key) {
    // From a few distinct values to hundreds.
    const std::size_t distinct = key == 8 ? 500 : 2 + key * 3;
    for (std::size_t i = 0; i < distinct; ++i) {
      const std::string number = std::to_string(i);
      label_values_[key].push_back(
          Keep(key == 6 ? number : (key == 7 ? "5." + number + ".0" : "value-" + number)));
    }
  }
}

const api::Node& MatchCluster::Node(std::size_t i, std::uint64_t revision) {
  name_ = "node-" + std::to_string(1'000'000 + i) + ".cluster.local";
  node_.metadata.name = name_;
  node_.spec.taints.clear();
  std::uint64_t random = Mix(i * 0x9e3779b97f4a7c15 + revision + 1);
  while (node_.spec.taints.size() < kTaintsPerNode) {
    random = Mix(random + 1);
    node_.spec.taints.push_back(taints_[random % kTaints]);
  }
  std::vector<api::StringMap::Entry> labels{{label_keys_[0], name_}};
  std::uint64_t label_random = Mix(i + 77);
  for (std::size_t key = 1; key < kLabels; ++key) {
    label_random = Mix(label_random);
    labels.emplace_back(label_keys_[key],
                        label_values_[key][label_random % label_values_[key].size()]);
  }
  node_.metadata.labels = api::StringMap(std::move(labels));
  return node_;
}

api::PodSpec MatchCluster::Pod(std::size_t template_number) {
  const std::string_view threshold = Keep(std::to_string(template_number % 400));
  const std::string_view ceiling = Keep(std::to_string(500 - template_number / 400));
  api::PodSpec pod;
  pod.tolerations = {
      {.key = kSla, .op = "Gt", .value = threshold, .effect = "NoSchedule"},
      {.key = kCost, .op = "Lt", .value = ceiling},
      {.key = kKubelet, .op = "SemverGt", .value = "v1.2.0"},
      {.key = kDriver, .op = "SemverLt", .value = "1.12.0", .effect = "NoSchedule"},
      {.key = kTeam, .op = "Exists"},
  };
  auto& terms = pod.affinity.emplace().node_affinity.emplace().required.emplace().terms;
  terms.emplace_back().match_expressions = {
      {"topology.kubernetes.io/zone", "In", {"value-0", "value-1", "value-2"}},
      {"plimsoll.io/generation", "Gt", {"3"}},
      {"plimsoll.io/kernel", "SemverGt", {"5.4.0"}},
  };
  return pod;
}

api::PodSpec MatchCluster::ClassicPod(std::size_t template_number) {
  const std::string_view team = Keep("team-" + std::to_string(template_number % 200));
  api::PodSpec pod;
  pod.tolerations = {
      {.key = kSla, .op = "Exists", .value = "", .effect = "NoSchedule"},
      {.key = kCost, .op = "Exists"},
      {.key = kKubelet, .op = "Equal", .value = "v1.2.0"},
      {.key = kDriver, .op = "Exists", .value = "", .effect = "NoSchedule"},
      {.key = kTeam, .op = "Equal", .value = team},
  };
  auto& terms = pod.affinity.emplace().node_affinity.emplace().required.emplace().terms;
  terms.emplace_back().match_expressions = {
      {"topology.kubernetes.io/zone", "In", {"value-0", "value-1", "value-2"}},
      {"plimsoll.io/generation", "NotIn", {"0", "1", "2", "3"}},
      {"plimsoll.io/kernel", "Exists", {}},
  };
  return pod;
}

}  // namespace plimsoll::bench
