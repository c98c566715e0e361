#include "dra/rule_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace plimsoll::dra {
namespace {

using testing::ElementsAre;

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
  /// Acquires the set for this number of users.
  RuleSet* Acquire(std::vector<const IndexedRule*> rules, int users = 1) {
    RuleSet* const set = sets_.Of(std::move(rules));
    for (int i = 0; i < users; ++i) sets_.Acquire(*set);
    return set;
  }
  /// Toggles the rule for one of the set's users, and returns its new set.
  RuleSet* Change(RuleSet* set, const IndexedRule& rule) {
    sets_.BeginTurn(rule);
    sets_.Announce(*set);
    RuleSet* const changed = sets_.Changed(*set);
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
  RuleSet* set = Change(Acquire({}), b_);
  set = Change(set, c_);
  set = Change(set, a_);
  EXPECT_THAT(set->rules, ElementsAre(&a_, &b_, &c_));
  EXPECT_THAT(set->taints, ElementsAre(&a_.source, &b_.source, &c_.source));
  EXPECT_EQ(set, sets_.Of({&a_, &b_, &c_}));
  set = Change(set, b_);
  EXPECT_THAT(set->rules, ElementsAre(&a_, &c_));
  EXPECT_THAT(set->taints, ElementsAre(&a_.source, &c_.source));
  EXPECT_EQ(set, sets_.Of({&a_, &c_}));
}

TEST_F(RuleSetsTest, KnowsWhatASetHasInItsTurn) {
  RuleSet* const set = Acquire({&a_});
  sets_.BeginTurn(a_);
  EXPECT_TRUE(sets_.Has(*set));
  EXPECT_FALSE(sets_.Has(*sets_.Of({})));
  sets_.BeginTurn(b_);
  EXPECT_FALSE(sets_.Has(*set)) << "what was said of another rule is forgotten";
}

TEST_F(RuleSetsTest, ASetThatAllLeaveBecomesTheOther) {
  RuleSet* const set = Acquire({&a_}, 2);
  sets_.BeginTurn(b_);
  sets_.Announce(*set);
  sets_.Announce(*set);
  EXPECT_EQ(sets_.Changed(*set), set);
  EXPECT_EQ(sets_.Changed(*set), set) << "once, for all users";
  EXPECT_THAT(set->rules, ElementsAre(&a_, &b_));
  EXPECT_EQ(sets_.Of({&a_, &b_}), set);
  EXPECT_EQ(sets_.size(), 1U);
}

TEST_F(RuleSetsTest, ASetThatSomeLeaveStays) {
  RuleSet* const set = Acquire({&a_}, 2);
  RuleSet* const other = Change(set, b_);
  EXPECT_NE(other, set);
  EXPECT_THAT(set->rules, ElementsAre(&a_));
  EXPECT_THAT(other->rules, ElementsAre(&a_, &b_));
  EXPECT_EQ(Change(set, b_), other) << "the last user finds the set of the first";
  EXPECT_EQ(other->users, 2U);
  sets_.Sweep();
  EXPECT_EQ(sets_.size(), 1U);
}

TEST_F(RuleSetsTest, SetsGoAtTheSweepUnlessTheyFindAUserInTime) {
  RuleSet* const one = Acquire({&a_}, 2);
  RuleSet* const two = Change(one, b_);
  Change(one, b_);
  EXPECT_EQ(sets_.size(), 2U) << "until the next sweep all stay where they are";
  EXPECT_EQ(Change(two, b_), one);
  sets_.Sweep();
  EXPECT_EQ(sets_.size(), 2U) << "both have a user";
  EXPECT_EQ(Change(one, b_), two);
  sets_.Sweep();
  EXPECT_EQ(sets_.size(), 1U);
  EXPECT_THAT(two->rules, ElementsAre(&a_, &b_));
}

}  // namespace
}  // namespace plimsoll::dra
