#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "dra/rule_index.h"

namespace plimsoll::dra {

/// The set of rules that select a device, sorted by name. Devices selected by the same rules share
/// a set, so the effect of a rule's change is computed once for all of them.
struct RuleSet {
  std::vector<const IndexedRule*> rules;
  DeviceTaints::RuleTaints taints;  // taints of the rules, in the same order
  std::uint64_t hash = 0;
  std::size_t users = 0;
  bool is_idle = false;  // unused, and queued for the next Sweep

  // State of the set in that turn.
  std::uint64_t turn = 0;
  bool has_rule = false;
  std::size_t changing = 0;    // users that switch to another set
  RuleSet* changed = nullptr;  // the set after toggling the rule; null: not computed yet
};

/// All rule sets in use. Not safe for use by several threads.
class RuleSets {
 public:
  RuleSets() = default;
  RuleSets(const RuleSets&) = delete;
  RuleSets& operator=(const RuleSets&) = delete;

  /// Returns the set of these rules. REQUIRES: they are sorted by name.
  RuleSet* Of(std::vector<const IndexedRule*> rules);

  /// Begins the change of a rule. `Has`, `Announce` and `Changed` refer to that rule.
  void BeginTurn(const IndexedRule& rule);
  /// Returns true if the set contained the rule when the turn began.
  bool Has(RuleSet& set) {
    Refresh(set);
    return set.has_rule;
  }
  /// Announces a call of Changed by a user of the set. REQUIRES: no Changed in this turn yet.
  void Announce(RuleSet& set) {
    Refresh(set);
    ++set.changing;
  }
  /// Returns the set with the rule toggled: added if the set lacks it, removed otherwise. Reuses
  /// the set itself if all of its users change and no such set exists.
  RuleSet* Changed(RuleSet& set) {
    return set.changed != nullptr ? set.changed : set.changed = Change(set);
  }

  /// A set's address is stable while it has users, and until the next Sweep.
  void Acquire(RuleSet& set) { ++set.users; }
  void Release(RuleSet& set) {
    if (--set.users == 0 && !std::exchange(set.is_idle, true)) idle_.push_back(&set);
  }
  /// Deletes the sets without users.
  void Sweep();
  std::size_t size() const { return sets_.size(); }

 private:
  using Rules = std::vector<const IndexedRule*>;
  using Sets = std::multimap<std::uint64_t, std::unique_ptr<RuleSet>>;

  void Refresh(RuleSet& set) {
    if (set.turn != turn_) Recompute(set);
  }
  void Recompute(RuleSet& set);
  RuleSet* Change(RuleSet& set);
  RuleSet* Add(std::uint64_t hash, Rules rules);
  RuleSet* Find(std::uint64_t hash, const Rules& rules) const;
  Sets::iterator IteratorOf(const RuleSet& set);

  Sets sets_;  // by hash
  std::vector<RuleSet*> idle_;
  const IndexedRule* rule_ = nullptr;
  std::uint64_t turn_ = 0;
};

}  // namespace plimsoll::dra
