#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "controller/taint_eviction/stay.h"
#include "match/expression_memo.h"

namespace plimsoll::controller {

/// The stays of all pods under all taints, each decided once: pods of one template have one list of
/// tolerations, and many nodes have the same taints. Lists are counted by reference; their ids are
/// small and dense.
class StayTable {
 public:
  using Id = Interner::Id;
  static constexpr Id kNone = Interner::kNone;

  explicit StayTable(const match::StayRules& rules);
  StayTable(const StayTable&) = delete;
  StayTable& operator=(const StayTable&) = delete;

  /// From now on the expressions that Find evaluates may cost so much, in CEL's units.
  void SetBudget(std::uint64_t cost) { memo_.SetBudget(cost); }

  /// Of the taints those that are NoExecute, in their order; when they were added does not matter.
  /// kNone when there is none, which needs no release.
  Id AcquireTaints(std::span<const api::Taint> taints);
  void ReleaseTaints(Id taints);

  Id AcquireTolerations(std::span<const api::Toleration> tolerations);
  void ReleaseTolerations(Id tolerations);

  /// Of pods with these tolerations under these taints, of which there must be some. Null when the
  /// budget is used up; with another budget it goes on from there.
  std::shared_ptr<const Stay> Find(Id taints, Id tolerations);

 private:
  struct TolerationList {
    std::uint64_t serial = 0;  // ids are used again, serials are not
    std::vector<api::Toleration> items;
  };
  struct TaintList {
    std::vector<api::Taint> items;
    std::map<std::uint64_t, std::shared_ptr<const Stay>> stays;  // by the tolerations' serial
  };

  match::ExpressionMemo memo_;
  match::StayRules rules_;
  // The texts of a list, one after the other. Items point into them.
  Interner taint_texts_;
  Interner toleration_texts_;
  std::vector<TaintList> taints_;
  std::vector<TolerationList> tolerations_;
  std::uint64_t next_serial_ = 0;
  std::string scratch_;
};

}  // namespace plimsoll::controller
