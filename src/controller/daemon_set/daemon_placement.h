#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controller/controller.h"
#include "match/node_selector.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// Tells if a node should get a daemon pod, and if an existing one may stay.
struct DaemonAnswer {
  bool should_run = false;
  bool may_continue = false;

  friend bool operator==(const DaemonAnswer&, const DaemonAnswer&) = default;
};

/// Decides on which nodes a DaemonSet's pods belong, and builds their spec. Made from one version
/// of the DaemonSet, which it keeps alive; `rules` must outlive it.
class DaemonPlacement {
 public:
  DaemonPlacement(ObjectPtr daemon_set, const match::Rules& rules);

  DaemonAnswer Answer(const api::Node& node) const;

  /// Returns the template's spec with node affinity for this node and the tolerations that every
  /// daemon pod gets.
  std::string SpecJson(std::string_view node_name) const;

 private:
  std::string AffinityJson(std::string_view node_name) const;

  ObjectPtr daemon_set_;
  const match::Rules rules_;
  const api::PodSpec& spec_;
  std::vector<api::Toleration> tolerations_;
  match::RequiredNodeAffinity affinity_;
  std::string spec_start_;  // the spec without affinity and without the closing brace
};

/// Returns the node that the pod is bound to, or else the one that its node affinity names.
std::string_view TargetNode(const api::Pod& pod);

}  // namespace plimsoll::controller
