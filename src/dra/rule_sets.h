#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "dra/rule_index.h"

namespace plimsoll::dra {

/// Rules that select a device, by their names. Devices that the same rules select have the same
/// set, so that what a rule's change does to them is worked out once for all of them.
struct RuleSet {
  std::vector<const IndexedRule*> rules;
  DeviceTaints::RuleTaints taints;  // theirs, in the same order
  std::uint64_t hash = 0;
  std::size_t users = 0;
  bool is_idle = false;  // it waits for the next Sweep

  // What has been said of the set in that turn.
  std::uint64_t turn = 0;
  bool has_rule = false;
  std::size_t changing = 0;    // users whose set becomes another
  RuleSet* changed = nullptr;  // with the rule if it does not have it, or without; null: not known
};

/// The sets that there are. Not safe for use by several threads.
class RuleSets {
 public:
  RuleSets() = default;
  RuleSets(const RuleSets&) = delete;
  RuleSets& operator=(const RuleSets&) = delete;

  /// The one set of these rules, which are in the order of their names.
  RuleSet* Of(std::vector<const IndexedRule*> rules);

  /// A rule's news begin, which `Has`, `Announce` and `Changed` are about.
  void BeginTurn(const IndexedRule& rule);
  /// Whether the rule was in the set when the turn began.
  bool Has(RuleSet& set) {
    Look(set);
    return set.has_rule;
  }
  /// A user of the set will ask for Changed. Comes for all users before the first asks.
  void Announce(RuleSet& set) {
    Look(set);
    ++set.changing;
  }
  /// The set with the rule if it does not have it, without it if it has. It is the set itself,
  /// turned into that, where all of its users change and nobody has such a set.
  RuleSet* Changed(RuleSet& set) {
    return set.changed != nullptr ? set.changed : set.changed = Change(set);
  }

  /// A set stays where it is as long as someone has it, and until the next Sweep.
  void Acquire(RuleSet& set) { ++set.users; }
  void Release(RuleSet& set) {
    if (--set.users == 0 && !std::exchange(set.is_idle, true)) idle_.push_back(&set);
  }
  /// Drops the sets that nobody has.
  void Sweep();
  std::size_t size() const { return sets_.size(); }

 private:
  using Rules = std::vector<const IndexedRule*>;
  using Sets = std::multimap<std::uint64_t, std::unique_ptr<RuleSet>>;

  void Look(RuleSet& set) {
    if (set.turn != turn_) LookAnew(set);
  }
  void LookAnew(RuleSet& set);
  RuleSet* Change(RuleSet& set);
  RuleSet* Add(std::uint64_t hash, Rules rules);
  RuleSet* Find(std::uint64_t hash, const Rules& rules) const;
  Sets::iterator PlaceOf(const RuleSet& set);

  Sets sets_;  // by hash
  std::vector<RuleSet*> idle_;
  const IndexedRule* rule_ = nullptr;
  std::uint64_t turn_ = 0;
};

}  // namespace plimsoll::dra
