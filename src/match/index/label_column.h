#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bitmap.h"
#include "base/interner.h"
#include "base/semver.h"
#include "match/index/ordered_values.h"

namespace plimsoll::match {

/// A node's place in the index: small, and reused after the node is gone.
using NodeSlot = std::uint32_t;

using ValueId = Interner::Id;

/// The values of one label key over all nodes. A common key is an array with a small code per node,
/// as wide as the number of distinct values asks for; a rare one is a sorted list of the nodes that
/// have it. Distinct values are kept once, and parsed once as soon as somebody compares them.
class LabelColumn {
 public:
  /// Takes a value for a node; false when it had that value already. `slot_limit` is the number of
  /// slots in use in the whole index.
  bool Set(NodeSlot slot, std::string_view value, std::size_t slot_limit);
  void Clear(NodeSlot slot, std::size_t slot_limit);
  /// kNone when the node does not have the label.
  ValueId Get(NodeSlot slot) const { return CodeAt(slot) - 1; }

  /// Ids of values are below this.
  std::size_t value_limit() const { return values_.id_limit(); }
  std::string_view text(ValueId id) const { return values_.text(id); }

  /// Values that requirements name stay known, so that their ids mean them.
  ValueId AcquireValue(std::string_view value);
  void ReleaseValue(ValueId id);

  /// From now on `number` and `version` answer, and the ranges are kept.
  void NeedNumbers();
  void NeedVersions();
  std::optional<std::int64_t> number(ValueId id) const { return numbers_[id]; }
  const Semver* version(ValueId id) const { return versions_[id].get(); }

  /// An answer for each distinct value, at `id + 1`; at 0 the answer for nodes without the label.
  using Answers = std::vector<std::uint8_t>;
  Answers NewAnswers(bool when_absent, bool when_present) const;
  void MarkNumbers(Comparison comparison, std::int64_t bound, Answers& answers) const;
  void MarkVersions(Comparison comparison, const Semver& bound, Answers& answers) const;

  /// Keeps those of `nodes` whose value has the answer yes.
  void Keep(const Answers& answers, Bitmap& nodes) const;

  std::size_t TextBytes() const { return values_.MemoryBytes(); }
  std::size_t MemoryBytes() const;

 private:
  using Code = std::uint32_t;  // a value's id + 1; 0: none
  struct Cell {
    NodeSlot slot;
    Code code;
  };
  using Dense = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>,
                             std::vector<std::uint32_t>>;

  Code CodeAt(NodeSlot slot) const;
  void PutCode(NodeSlot slot, Code code);
  void PutDense(NodeSlot slot, Code code);
  void PutSparse(NodeSlot slot, Code code);
  void ChooseForm(std::size_t slot_limit);
  void ParseNumber(ValueId id);
  void ParseVersion(ValueId id);
  bool IsCurrent(const OrderedValues<std::int64_t>::Entry& entry) const;
  bool IsCurrent(const OrderedValues<Semver>::Entry& entry) const;

  Interner values_;
  bool is_dense_ = false;
  Dense dense_;
  std::vector<Cell> sparse_;  // in the order of the slots
  std::size_t count_ = 0;     // nodes with the label
  bool has_numbers_ = false;
  bool has_versions_ = false;
  std::vector<std::optional<std::int64_t>> numbers_;  // by ValueId
  std::vector<std::unique_ptr<Semver>> versions_;     // by ValueId
  OrderedValues<std::int64_t> number_order_;
  OrderedValues<Semver> version_order_;
};

}  // namespace plimsoll::match
