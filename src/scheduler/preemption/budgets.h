#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "api/selector/selector.h"
#include "scheduler/cluster/cluster_state.h"

namespace plimsoll::scheduler {

/// PodDisruptionBudgets with parsed selectors. Parsed again when they change.
class DisruptionBudgets {
 public:
  /// Parses the budgets if the table has changed.
  void Update(const ObjectTable& table);
  /// Version of the table that was parsed. Increases.
  std::uint64_t version() const { return version_; }

  /// Returns a flag for each pod: true if its eviction, after those of the pods before it, would
  /// violate a budget.
  std::vector<std::uint8_t> FindViolations(const ClusterState& cluster,
                                           std::span<const PodId> pods) const;

 private:
  struct Budget {
    ObjectPtr object;  // owns the texts
    std::string_view namespace_;
    api::Selector selector;
    std::int64_t allowed = 0;
    std::vector<std::string_view> disrupted;  // names of pods that are already counted
  };

  std::vector<Budget> budgets_;
  std::uint64_t version_ = 0;
};

}  // namespace plimsoll::scheduler
