#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/core/pod.h"
#include "api/selector/selector.h"
#include "scheduler/cluster/cluster_state.h"

/// Which pods belong together although none of them says so: those of the same services and the
/// same controller.
namespace plimsoll::scheduler {

/// Remembers for one class of pods what its default selector is, and notices when it changes.
/// Controllers change with every pod that they make, services seldom: each is looked up only when
/// there is something new.
class DefaultSelector {
 public:
  /// True when it is not what it was at the last call; so at the first.
  bool Update(const api::Pod& pod, const ClusterState& cluster);

  /// Matches the pods that the services of the pod and its controller have in common. Empty when it
  /// has none.
  const api::Selector& selector() const { return selector_; }

 private:
  std::uint64_t services_version_ = 0;  // of no table
  std::array<std::uint64_t, 3> controllers_version_{};
  std::vector<api::Requirement> of_services_;
  api::Selector selector_;
  std::optional<std::string> text_;
};

}  // namespace plimsoll::scheduler
