#include "dra/rule_sets.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll::dra {
namespace {

/// Hash of a rule. The hash of a set is the sum over its rules, so that it is easily updated when a
/// rule is added or removed.
std::uint64_t HashOf(const IndexedRule* rule) {
  auto bits = reinterpret_cast<std::uintptr_t>(rule) * std::uint64_t{0x9e37'79b9'7f4a'7c15};
  bits ^= bits >> 29;
  return bits * std::uint64_t{0xbf58'476d'1ce4'e5b9};
}

}  // namespace

RuleSet* RuleSets::Find(std::uint64_t hash, const Rules& rules) const {
  const auto [first, last] = sets_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (known->second->rules == rules) return known->second.get();
  }
  return nullptr;
}

RuleSets::Sets::iterator RuleSets::IteratorOf(const RuleSet& set) {
  auto place = sets_.find(set.hash);
  while (place->second.get() != &set) ++place;
  return place;
}

RuleSet* RuleSets::Of(std::vector<const IndexedRule*> rules) {
  std::uint64_t hash = 0;
  for (const IndexedRule* const rule : rules) hash += HashOf(rule);
  RuleSet* const known = Find(hash, rules);
  return known != nullptr ? known : Add(hash, std::move(rules));
}

RuleSet* RuleSets::Add(std::uint64_t hash, Rules rules) {
  auto set = std::make_unique<RuleSet>();
  set->taints.reserve(rules.size());
  for (const IndexedRule* const rule : rules) set->taints.push_back(&rule->source);
  set->rules = std::move(rules);
  set->hash = hash;
  return sets_.emplace(hash, std::move(set))->second.get();
}

void RuleSets::BeginTurn(const IndexedRule& rule) {
  rule_ = &rule;
  ++turn_;
}

void RuleSets::Recompute(RuleSet& set) {
  set.turn = turn_;
  set.has_rule = std::ranges::find(set.rules, rule_) != set.rules.end();
  set.changing = 0;
  set.changed = nullptr;
}

RuleSet* RuleSets::Change(RuleSet& set) {
  PL_ASSERT(set.turn == turn_ && set.changing > 0);
  const auto place = std::ranges::lower_bound(set.rules, rule_->name(), {}, &IndexedRule::name);
  const auto at = place - set.rules.begin();
  Rules rules;
  rules.reserve(set.rules.size() + 1);
  rules.assign(set.rules.begin(), place);
  if (!set.has_rule) rules.push_back(rule_);
  rules.insert(rules.end(), set.has_rule ? place + 1 : place, set.rules.end());
  const std::uint64_t hash = set.has_rule ? set.hash - HashOf(rule_) : set.hash + HashOf(rule_);
  if (RuleSet* const known = Find(hash, rules)) return known;
  if (set.changing < set.users) return Add(hash, std::move(rules));

  auto moved = sets_.extract(IteratorOf(set));
  moved.key() = set.hash = hash;
  sets_.insert(std::move(moved));
  set.rules = std::move(rules);
  if (set.has_rule) {
    set.taints.erase(set.taints.begin() + at);
  } else {
    set.taints.insert(set.taints.begin() + at, &rule_->source);
  }
  return &set;
}

void RuleSets::Sweep() {
  for (RuleSet* const set : idle_) {
    set->is_idle = false;
    if (set->users == 0) sets_.erase(IteratorOf(*set));
  }
  idle_.clear();
}

}  // namespace plimsoll::dra
