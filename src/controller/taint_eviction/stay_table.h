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

/// Cache of Stay by taint list and toleration list. Pods of one template share a toleration
/// list, and many nodes share a taint list. Lists are reference-counted; their ids are small and
/// dense.
class StayTable {
 public:
  using Id = Interner::Id;
  static constexpr Id kNone = Interner::kNone;

  explicit StayTable(const match::TolerationTimeRules& rules);
  StayTable(const StayTable&) = delete;
  StayTable& operator=(const StayTable&) = delete;

  /// Sets the CEL cost limit for further calls of Find.
  void SetBudget(std::uint64_t cost) { memo_.SetBudget(cost); }

  /// Returns the id of the NoExecute taints among these, in order, without `timeAdded`. Returns
  /// kNone if there are none; kNone needs no release.
  Id AcquireTaints(std::span<const api::Taint> taints);
  void ReleaseTaints(Id taints);

  Id AcquireTolerations(std::span<const api::Toleration> tolerations);
  void ReleaseTolerations(Id tolerations);

  /// Returns the stay of pods with these tolerations under these taints. Returns null if the CEL
  /// cost limit is exhausted; a later call continues. REQUIRES: taints is not kNone.
  std::shared_ptr<const Stay> Find(Id taints, Id tolerations);

 private:
  struct TolerationList {
    std::uint64_t serial = 0;  // unlike ids, serials are never reused
    std::vector<api::Toleration> items;
  };
  struct TaintList {
    std::vector<api::Taint> items;
    std::map<std::uint64_t, std::shared_ptr<const Stay>> stays;  // by serial of the tolerations
  };

  match::ExpressionMemo memo_;
  match::TolerationTimeRules rules_;
  // Serialized lists. `items` point into these texts.
  Interner taint_texts_;
  Interner toleration_texts_;
  std::vector<TaintList> taints_;
  std::vector<TolerationList> tolerations_;
  std::uint64_t next_serial_ = 0;
  std::string scratch_;
};

}  // namespace plimsoll::controller
