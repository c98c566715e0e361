#include "dra/rule_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace plimsoll::dra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Rules a, b and c.
class RuleSetsTest : public testing::Test {
 protected:
  RuleSetsTest() {
    constexpr std::array<std::string_view, 3> kNames = {"a", "b", "c"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      views_[i].metadata.name = kNames[i];
      rules_[i].view = &views_[i];
    }
  }
  /// The set with the rule, or without it, in the place of the one before.
  RuleSet* Change(RuleSet* set, const IndexedRule& rule, bool has_rule) {
    sets_.BeginTurn(rule);
    RuleSet* const changed = sets_.Changed(*set, has_rule);
    sets_.Acquire(*changed);
    sets_.Release(*set);
    return changed;
  }

  std::array<api::DeviceTaintRule, 3> views_;
  std::array<IndexedRule, 3> rules_;
  const IndexedRule& a_ = rules_[0];
  const IndexedRule& b_ = rules_[1];
  const IndexedRule& c_ = rules_[2];
  RuleSets sets_;
};

TEST_F(RuleSetsTest, RulesAreInTheOrderOfTheirNamesWhicheverCameFirst) {
  sets_.Acquire(*sets_.none());
  RuleSet* set = Change(sets_.none(), b_, true);
  set = Change(set, c_, true);
  set = Change(set, a_, true);
  EXPECT_THAT(set->rules, ElementsAre(&a_, &b_, &c_));
  EXPECT_THAT(set->taints, ElementsAre(&a_.source, &b_.source, &c_.source));
  EXPECT_EQ(set, sets_.Of({&a_, &b_, &c_}));
}

TEST_F(RuleSetsTest, WhatChangesNothingIsTheSameSet) {
  sets_.BeginTurn(a_);
  EXPECT_EQ(sets_.Changed(*sets_.none(), false), sets_.none());
  EXPECT_FALSE(sets_.Has(*sets_.none()));
  RuleSet* const set = sets_.Of({&a_});
  EXPECT_TRUE(sets_.Has(*set));
  EXPECT_EQ(sets_.Changed(*set, true), set);
  EXPECT_EQ(sets_.Changed(*set, false), sets_.none());
  sets_.BeginTurn(b_);
  EXPECT_FALSE(sets_.Has(*set)) << "what was said of another rule is forgotten";
  EXPECT_THAT(sets_.Of({})->rules, IsEmpty());
}

TEST_F(RuleSetsTest, SetsGoWhenNobodyHasThem) {
  sets_.Acquire(*sets_.none());
  sets_.Acquire(*sets_.none());
  RuleSet* const one = Change(sets_.none(), a_, true);
  RuleSet* const same = Change(sets_.none(), a_, true);
  EXPECT_EQ(one, same);
  sets_.Sweep();
  EXPECT_EQ(sets_.size(), 1U);
  Change(one, a_, false);
  sets_.Sweep();
  EXPECT_EQ(sets_.size(), 1U) << "another has it";
  RuleSet* const other = Change(same, b_, true);
  EXPECT_EQ(sets_.size(), 2U) << "until the next sweep all stay where they are";
  sets_.Sweep();
  EXPECT_EQ(sets_.size(), 1U);
  EXPECT_THAT(other->rules, ElementsAre(&a_, &b_));
}

TEST_F(RuleSetsTest, ASetThatFindsAUserInTimeStays) {
  sets_.Acquire(*sets_.none());
  RuleSet* set = Change(sets_.none(), a_, true);
  RuleSet* const without = Change(set, a_, false);
  EXPECT_EQ(Change(without, a_, true), set);
  sets_.Sweep();
  EXPECT_EQ(sets_.size(), 1U);
  EXPECT_THAT(set->rules, ElementsAre(&a_));
}

}  // namespace
}  // namespace plimsoll::dra
