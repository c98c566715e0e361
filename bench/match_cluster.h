#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/core/pod.h"

namespace plimsoll::bench {

/// The cluster that placement is measured on: nodes with 3 taints out of 1,000 distinct ones
/// (numbers, versions and plain texts mixed) and 20 labels each, hostname among them. Nodes are
/// made one at a time, so that a cluster of a million does not have to exist outside the index.
/// Everything is a function of the number of the node.
class MatchCluster {
 public:
  MatchCluster();
  MatchCluster(const MatchCluster&) = delete;
  MatchCluster& operator=(const MatchCluster&) = delete;

  /// Good until the next call. `revision` changes the node's taints and nothing else.
  const api::Node& Node(std::size_t i, std::uint64_t revision = 0);

  /// 5 tolerations mixing operators, and a required affinity of 3 requirements. Different
  /// templates have different thresholds. About a fifth of the nodes are accepted.
  api::PodSpec Pod(std::size_t template_number);
  /// Likewise, with Equal and Exists, In and NotIn only.
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
