#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/explain/cluster_snapshot.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// The next value of a taint that makes pods go.
struct NextStep {
  std::string value;
  std::size_t pods = 0;
  std::vector<std::string> workloads;  // namespace/kind/name; most pods first
};

/// Nodes with the same value of a taint.
struct ValueSurvey {
  std::string value;
  std::size_t nodes = 0;
  std::size_t pods = 0;     // that stand on these nodes
  std::size_t allowed = 0;  // of all pods, those that tolerate the value
  NextStep up;              // no pods: no threshold is above the value
  NextStep down;
};

/// A taint key with one effect, and the nodes by value.
struct KeySurvey {
  std::string key;
  std::string effect;
  std::size_t pods = 0;             // number of all pods
  std::vector<ValueSurvey> values;  // smallest value first
};

/// Returns the taints of the nodes that a threshold of a pod is about, by key and effect. With
/// `key`, only taints with this key, also if no pod has a threshold for it.
std::vector<KeySurvey> SurveyKeys(std::span<const ObjectPtr> pods, std::span<const ObjectPtr> nodes,
                                  const match::Rules& rules, std::string_view key);

}  // namespace plimsoll::cli
