#include "dra/rule_sets.h"

#include <algorithm>
#include <utility>

namespace plimsoll::dra {

RuleSet* RuleSets::Of(std::vector<const IndexedRule*> rules) {
  if (rules.empty()) return &none_;
  if (const auto known = sets_.find(rules); known != sets_.end()) return known->get();
  auto set = std::make_unique<RuleSet>();
  for (const IndexedRule* const rule : rules) set->taints.push_back(&rule->source);
  set->rules = std::move(rules);
  return sets_.insert(std::move(set)).first->get();
}

void RuleSets::BeginTurn(const IndexedRule& rule) {
  rule_ = &rule;
  ++turn_;
}

void RuleSets::Look(RuleSet& set) {
  if (set.turn == turn_) return;
  set.turn = turn_;
  set.has_rule = std::ranges::find(set.rules, rule_) != set.rules.end();
  set.with = set.has_rule ? &set : nullptr;
  set.without = set.has_rule ? nullptr : &set;
}

bool RuleSets::Has(RuleSet& set) {
  Look(set);
  return set.has_rule;
}

RuleSet* RuleSets::Changed(RuleSet& set, bool has_rule) {
  Look(set);
  RuleSet*& changed = has_rule ? set.with : set.without;
  if (changed == nullptr) {
    std::vector<const IndexedRule*> rules = set.rules;
    if (has_rule) {
      rules.insert(std::ranges::lower_bound(rules, rule_->name(), {}, &IndexedRule::name), rule_);
    } else {
      std::erase(rules, rule_);
    }
    changed = Of(std::move(rules));
  }
  return changed;
}

void RuleSets::Sweep() {
  for (RuleSet* const set : idle_) {
    set->is_idle = false;
    if (set->users == 0 && set != &none_) sets_.erase(sets_.find(set->rules));
  }
  idle_.clear();
}

}  // namespace plimsoll::dra
