#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/core/pod.h"

namespace plimsoll::bench {

/// The cluster of the matching benchmarks. Nodes have 20 labels, including hostname, and 3 taints
/// out of 1,000 distinct ones (numbers, versions and plain texts). Nodes are generated one at a
/// time, so that a million of them need not exist outside the index. Everything is a function of
/// the node's number.
class MatchCluster {
 public:
  MatchCluster();
  MatchCluster(const MatchCluster&) = delete;
  MatchCluster& operator=(const MatchCluster&) = delete;

  /// Returns a node, valid until the next call. `revision` changes only the node's taints.
  const api::Node& Node(std::size_t i, std::uint64_t revision = 0);

  /// Returns a pod with 5 tolerations of mixed operators, and a required affinity of 3
  /// requirements. Thresholds differ by template. About a fifth of the nodes match.
  api::PodSpec Pod(std::size_t template_number);
  /// Same as above, with only Equal, Exists, In and NotIn.
  api::PodSpec ClassicPod(std::size_t template_number);

 private:
  std::string_view Keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  void MakeTaints();
  void MakeLabels();

  std::deque<std::string> texts_;
  std::vector<api::Taint> taints_;
  std::vector<std::string_view> label_keys_;
  std::vector<std::vector<std::string_view>> label_values_;  // by key
  std::string name_;
  api::Node node_;
};

}  // namespace plimsoll::bench
