#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/selector/selector.h"
#include "scheduler/cluster/cluster_state.h"

/// Default selector for spreading: matches the pods of the same services and the same
/// controller.
namespace plimsoll::scheduler {

/// Cached default selector of one class of pods, with change detection. Controllers change with
/// every pod that they create, services rarely. Each is looked up only after a change of its
/// tables.
class DefaultSelector {
 public:
  /// Recomputes the selector. Returns true if it has changed; always true at the first call.
  bool Update(const ClassView& pod, const ClusterState& cluster);

  /// Selector that combines the selectors of the pod's services and of its controller. Empty if the
  /// pod has none.
  const api::Selector& selector() const { return selector_; }

 private:
  std::uint64_t services_version_ = 0;  // 0: no table
  std::array<std::uint64_t, 3> controllers_version_{};
  std::vector<api::Requirement> of_services_;
  api::Selector selector_;
  std::optional<std::string> text_;
};

}  // namespace plimsoll::scheduler
