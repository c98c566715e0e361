#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "api/selector/selector.h"
#include "scheduler/cluster/cluster_state.h"

namespace plimsoll::scheduler {

/// The PodDisruptionBudgets in a form that is quickly asked. Read anew when they changed.
class DisruptionBudgets {
 public:
  /// Reads them if they are newer than what is known.
  void Update(const ObjectTable& table);
  /// Of what is known; grows.
  std::uint64_t version() const { return version_; }

  /// Which of the pods, asked in this order, a budget does not allow to go once those before them
  /// are gone: a flag for each.
  std::vector<std::uint8_t> FindViolations(const ClusterState& cluster,
                                           std::span<const PodId> pods) const;

 private:
  struct Budget {
    ObjectPtr object;  // keeps the texts
    std::string_view namespace_;
    api::Selector selector;
    std::int64_t allowed = 0;
    std::vector<std::string_view> disrupted;  // names of pods that are counted already
  };

  std::vector<Budget> budgets_;
  std::uint64_t version_ = 0;
};

}  // namespace plimsoll::scheduler
