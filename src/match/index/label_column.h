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

/// Index of a node. It is small, and reused after the node is removed.
using NodeSlot = std::uint32_t;

using ValueId = Interner::Id;

/// Values of one label key on all nodes. A common key is an array with a code per node, as wide as
/// the number of distinct values needs. A rare key is a sorted list of its nodes. Distinct values
/// are stored once, and parsed once on the first comparison.
class LabelColumn {
 public:
  /// Sets the value of a node. Returns false if it had that value already. `slot_limit` is the
  /// number of slots of the whole index.
  bool Set(NodeSlot slot, std::string_view value, std::size_t slot_limit);
  void Clear(NodeSlot slot, std::size_t slot_limit);
  /// Returns kNone if the node does not have the label.
  ValueId Get(NodeSlot slot) const { return CodeAt(slot) - 1; }

  /// Returns an upper bound of the value ids.
  std::size_t value_limit() const { return values_.id_limit(); }
  std::string_view text(ValueId id) const { return values_.text(id); }

  /// Keeps a value that a requirement names, so that its id stays valid until ReleaseValue.
  ValueId AcquireValue(std::string_view value);
  void ReleaseValue(ValueId id);

  /// Enable `number` and `version`, and the ordered values for MarkNumbers and MarkVersions.
  void NeedNumbers();
  void NeedVersions();
  std::optional<std::int64_t> number(ValueId id) const { return numbers_[id]; }
  const Semver* version(ValueId id) const { return versions_[id].get(); }

  /// Answer per distinct value, at `id + 1`. The answer for nodes without the label is at 0.
  using Answers = std::vector<std::uint8_t>;
  Answers NewAnswers(bool when_absent, bool when_present) const;
  void MarkNumbers(Comparison comparison, std::int64_t bound, Answers& answers) const;
  void MarkVersions(Comparison comparison, const Semver& bound, Answers& answers) const;

  /// Removes the nodes whose value has the answer 0.
  void Retain(const Answers& answers, Bitmap& nodes) const;

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
  std::vector<Cell> sparse_;  // sorted by slot
  std::size_t count_ = 0;     // number of nodes with the label
  bool has_numbers_ = false;
  bool has_versions_ = false;
  std::vector<std::optional<std::int64_t>> numbers_;  // by ValueId
  std::vector<std::unique_ptr<Semver>> versions_;     // by ValueId
  OrderedValues<std::int64_t> number_order_;
  OrderedValues<Semver> version_order_;
};

}  // namespace plimsoll::match
