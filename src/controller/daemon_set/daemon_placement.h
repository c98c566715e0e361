#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controller/action.h"
#include "match/node_selector.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// Whether a node should have a pod, and whether one that is there may stay.
struct DaemonAnswer {
  bool should_run = false;
  bool may_continue = false;

  friend bool operator==(const DaemonAnswer&, const DaemonAnswer&) = default;
};

/// Where a DaemonSet's pods belong, and what such a pod looks like. Made from one version of the
/// DaemonSet, which it keeps; the rules must outlive it.
class DaemonPlacement {
 public:
  DaemonPlacement(ObjectPtr daemon_set, const match::Rules& rules);

  DaemonAnswer Answer(const api::Node& node) const;

  /// The template's spec with what keeps the pod on that node, through conditions that drive others
  /// away.
  std::string SpecJson(std::string_view node_name) const;

 private:
  std::string AffinityJson(std::string_view node_name) const;

  ObjectPtr daemon_set_;
  const match::Rules rules_;
  const api::PodSpec& spec_;
  std::vector<api::Toleration> tolerations_;
  match::RequiredNodeAffinity affinity_;
  std::string spec_start_;  // all of the spec but the affinity, without the closing brace
};

/// The node that a pod is on, or is meant for.
std::string_view TargetNode(const api::Pod& pod);

}  // namespace plimsoll::controller
