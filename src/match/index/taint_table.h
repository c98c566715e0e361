#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "base/interner.h"
#include "base/semver.h"
#include "match/index/ordered_values.h"
#include "match/rules.h"

namespace plimsoll::match {

using TaintId = Interner::Id;

/// A toleration with its texts as ids of a TaintTable, and its value parsed.
struct CompiledToleration {
  enum class Test : std::uint8_t { Anything, Value, Number, Version, Expression };

  Test test = Test::Anything;
  Comparison comparison = Comparison::Equal;
  Interner::Id key = Interner::kNone;     // kNone: every key
  Interner::Id effect = Interner::kNone;  // kNone: every effect
  Interner::Id value = Interner::kNone;   // for Test::Value
  Interner::Id expression = Interner::kNone;
  std::int64_t number = 0;
  std::optional<Semver> version;
};

/// The distinct taints of a cluster. Each (key, value, effect) is stored and parsed once, and
/// grouped by key in the order of the values. Taints and the texts of tolerations are
/// reference-counted; an unused id is reused.
class TaintTable {
 public:
  explicit TaintTable(const Rules& rules) : rules_(rules) {}

  TaintId Acquire(const api::Taint& taint);
  void Release(TaintId id);

  /// Returns nothing if it can never match: gate off, unknown operator, or unparsable value.
  std::optional<CompiledToleration> Compile(const api::Toleration& toleration);
  void Release(const CompiledToleration& toleration);

  /// Returns the taint without its time. Texts are valid until its last release.
  api::Taint taint(TaintId id) const;

  bool Blocks(TaintId id) const { return facts_[id].blocks; }
  bool IsPreferred(TaintId id) const { return facts_[id].is_preferred; }
  std::size_t id_limit() const { return facts_.size(); }

  /// Returns true if the toleration tolerates the taint. An expression is evaluated once per
  /// distinct taint, and its result is cached.
  bool Tolerates(const CompiledToleration& toleration, TaintId id);
  /// Returns the cached result of an expression, if it was evaluated.
  std::optional<bool> KnownAnswer(Interner::Id expression, TaintId id) const;
  bool IsLive(TaintId id) const { return facts_[id].key != Interner::kNone; }
  /// Returns the cost of all evaluations so far, in CEL cost units.
  std::uint64_t cost() const { return cost_; }
  /// Changes whenever a new taint is added.
  std::uint64_t version() const { return version_; }

  /// Sets `tolerated[id]` for every taint that the toleration tolerates. REQUIRES: `tolerated` has
  /// `id_limit()` elements.
  void MarkTolerated(const CompiledToleration& toleration, std::span<std::uint8_t> tolerated);

  std::size_t TextBytes() const;
  std::size_t MemoryBytes() const;

 private:
  /// Parsed form of a distinct taint. A free id has no key, number or version.
  struct Facts {
    Interner::Id key = Interner::kNone;
    Interner::Id value = Interner::kNone;
    Interner::Id effect = Interner::kNone;
    std::uint32_t serial = 0;    // incremented with each reuse of the id
    std::uint32_t position = 0;  // in its group
    bool blocks = false;
    bool is_preferred = false;
    std::optional<std::int64_t> number;
    std::unique_ptr<Semver> version;
  };

  struct Group {
    std::vector<TaintId> members;
    OrderedValues<std::int64_t> numbers;
    OrderedValues<Semver> versions;
  };

  /// Results of one expression by taint, as `serial * 2 + answer`. The serial reveals answers about
  /// an earlier taint with the same id. Serials start with 1.
  struct Expression {
    std::vector<std::uint32_t> answers;
  };

  bool IsCurrent(const OrderedValues<std::int64_t>::Entry& entry, Interner::Id key) const;
  bool IsCurrent(const OrderedValues<Semver>::Entry& entry, Interner::Id key) const;
  void Tidy(Interner::Id key);
  void AddToGroup(TaintId id);
  void RemoveFromGroup(TaintId id);
  void ReleaseKey(Interner::Id key);
  bool EvaluateOnce(Interner::Id expression, TaintId id);

  Rules rules_;
  Interner keys_;
  Interner values_;
  Interner effects_;
  Interner taints_;  // the three ids, as bytes
  Interner expressions_;
  std::vector<Facts> facts_;             // by TaintId
  std::vector<Group> groups_;            // by key
  std::vector<Expression> evaluations_;  // by expression
  std::uint64_t cost_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace plimsoll::match
