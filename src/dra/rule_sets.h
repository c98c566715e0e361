#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "dra/rule_index.h"

namespace plimsoll::dra {

/// Rules that select a device, by their names. Devices that the same rules select have the same
/// set, so that what a rule's change does to them is worked out once for all of them.
struct RuleSet {
  std::vector<const IndexedRule*> rules;
  DeviceTaints::RuleTaints taints;  // theirs, in the same order
  std::size_t users = 0;
  bool is_idle = false;  // it waits for the next Sweep

  // What Changed has said of the set, in that turn.
  std::uint64_t turn = 0;
  bool has_rule = false;
  RuleSet* with = nullptr;
  RuleSet* without = nullptr;
};

/// The sets that there are. Not safe for use by several threads.
class RuleSets {
 public:
  RuleSets() = default;
  RuleSets(const RuleSets&) = delete;
  RuleSets& operator=(const RuleSets&) = delete;

  /// Of a device that no rule selects.
  RuleSet* none() { return &none_; }
  /// The one set of these rules, which are in the order of their names.
  RuleSet* Of(std::vector<const IndexedRule*> rules);

  /// A rule's news begin, which `Has` and `Changed` are about.
  void BeginTurn(const IndexedRule& rule);
  bool Has(RuleSet& set);
  /// The set with the rule, or without it.
  RuleSet* Changed(RuleSet& set, bool has_rule);

  /// A set stays where it is as long as someone has it, and until the next Sweep.
  void Acquire(RuleSet& set) { ++set.users; }
  void Release(RuleSet& set) {
    if (--set.users == 0 && !std::exchange(set.is_idle, true)) idle_.push_back(&set);
  }
  /// Drops the sets that nobody has.
  void Sweep();
  std::size_t size() const { return sets_.size(); }

 private:
  struct ByRules {
    using is_transparent = void;
    using Rules = std::vector<const IndexedRule*>;
    static const Rules& Of(const std::unique_ptr<RuleSet>& set) { return set->rules; }
    static const Rules& Of(const Rules& rules) { return rules; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return std::ranges::lexicographical_compare(Of(a), Of(b), std::less<>());
    }
  };
  void Look(RuleSet& set);

  RuleSet none_;
  std::set<std::unique_ptr<RuleSet>, ByRules> sets_;
  std::vector<RuleSet*> idle_;
  const IndexedRule* rule_ = nullptr;
  std::uint64_t turn_ = 0;
};

}  // namespace plimsoll::dra
