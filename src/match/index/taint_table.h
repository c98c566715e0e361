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

/// A toleration whose texts are ids of a TaintTable and whose value is parsed.
struct CompiledToleration {
  enum class Test : std::uint8_t { Anything, Value, Number, Version, Expression };

  Test test = Test::Anything;
  Comparison comparison = Comparison::Equal;
  Interner::Id key = Interner::kNone;     // kNone: every key
  Interner::Id effect = Interner::kNone;  // kNone: every effect
  Interner::Id value = Interner::kNone;   // of Test::Value
  Interner::Id expression = Interner::kNone;
  std::int64_t number = 0;
  std::optional<Semver> version;
};

/// The distinct taints of a cluster: each (key, value, effect) once, with its value parsed once,
/// and grouped by key in the order of the values. Taints and the texts of tolerations are counted
/// by reference; when the last user is gone the id is given to the next.
class TaintTable {
 public:
  explicit TaintTable(const Rules& rules) : rules_(rules) {}

  TaintId Acquire(const api::Taint& taint);
  void Release(TaintId id);

  /// Nothing for a toleration that can never match: gate off, operator unknown, value not parsed.
  std::optional<CompiledToleration> Compile(const api::Toleration& toleration);
  void Release(const CompiledToleration& toleration);

  /// Without its time. Texts are good until its last release.
  api::Taint taint(TaintId id) const;

  bool Blocks(TaintId id) const { return facts_[id].blocks; }
  bool IsPreferred(TaintId id) const { return facts_[id].is_preferred; }
  std::size_t id_limit() const { return facts_.size(); }

  /// Whether the toleration covers the taint. An expression is evaluated the first time it meets a
  /// distinct taint and remembered from then on.
  bool Tolerates(const CompiledToleration& toleration, TaintId id);
  /// The answer of an expression, if it was evaluated.
  std::optional<bool> KnownAnswer(Interner::Id expression, TaintId id) const;
  bool IsLive(TaintId id) const { return facts_[id].key != Interner::kNone; }
  /// The cost of all evaluations so far, in CEL's units.
  std::uint64_t cost() const { return cost_; }
  /// Changes whenever there is a taint that was not there before.
  std::uint64_t version() const { return version_; }

  /// Sets `tolerated[id]` for every taint that the toleration covers. `tolerated` has `id_limit()`
  /// elements.
  void MarkTolerated(const CompiledToleration& toleration, std::span<std::uint8_t> tolerated);

  std::size_t TextBytes() const;
  std::size_t MemoryBytes() const;

 private:
  /// What is known of a distinct taint. A free id has no key, number or version.
  struct Facts {
    Interner::Id key = Interner::kNone;
    Interner::Id value = Interner::kNone;
    Interner::Id effect = Interner::kNone;
    std::uint32_t serial = 0;    // grows with each reuse of the id
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

  /// Answers of one expression by taint: `serial * 2 + answer`, so that those about an earlier
  /// bearer of an id are seen to be old. Serials start with 1.
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
  Interner taints_;  // of the three ids, as bytes
  Interner expressions_;
  std::vector<Facts> facts_;             // by TaintId
  std::vector<Group> groups_;            // by key
  std::vector<Expression> evaluations_;  // by expression
  std::uint64_t cost_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace plimsoll::match
