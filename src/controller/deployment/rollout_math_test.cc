#include "controller/deployment/rollout_math.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "codec/yaml.h"
#include "controller/objects_for_test.h"
#include "controller/workload/template_hash.h"

namespace plimsoll::controller {
namespace {

struct SetCase {
  int replicas = 0;
  int available = 0;
  int max_replicas = 0;  // 0: no annotation
};

/// Makes the sets in the order of their age, the newest last.
std::deque<RolloutSet> Sets(const std::vector<SetCase>& cases) {
  std::deque<RolloutSet> sets;
  for (const SetCase& one : cases) {
    const std::string age = std::to_string(sets.size());
    std::string text = "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: s" + age +
                       ", creationTimestamp: '2026-01-01T00:00:0" + age + "Z'";
    if (one.max_replicas != 0) {
      text += ", annotations: {deployment.kubernetes.io/max-replicas: '" +
              std::to_string(one.max_replicas) + "'}";
    }
    text += "}\nspec: {replicas: " + std::to_string(one.replicas) +
            "}\nstatus: {availableReplicas: " + std::to_string(one.available) + "}\n";
    sets.push_back(ReadRolloutSet(Decode(text)));
  }
  return sets;
}

RolloutSets Pointers(std::deque<RolloutSet>& sets) {
  RolloutSets pointers;
  for (RolloutSet& set : sets) pointers.push_back(&set);
  return pointers;
}

std::vector<std::int64_t> Wanted(const std::deque<RolloutSet>& sets) {
  std::vector<std::int64_t> wanted;
  for (const RolloutSet& set : sets) wanted.push_back(set.want);
  return wanted;
}

TEST(RolloutSpecTest, ResolvesPercentages) {
  struct Case {
    std::string surge;
    std::string unavailable;
    int replicas;
    std::int64_t want_surge;
    std::int64_t want_unavailable;
  };
  for (const Case& test : std::vector<Case>{{"25%", "25%", 10, 3, 2},
                                            {"25%", "25%", 1, 1, 0},
                                            {"0", "0", 5, 0, 1},
                                            {"0%", "10%", 5, 0, 1},
                                            {"1", "50", 4, 1, 4},
                                            {"25%", "25%", 0, 0, 0}}) {
    const RolloutSpec spec = ReadRolloutSpec(
        *Decode("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: " +
                std::to_string(test.replicas) +
                ", strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: " + test.surge +
                ", maxUnavailable: " + test.unavailable + "}}}\n"));
    EXPECT_EQ(spec.max_surge, test.want_surge) << test.surge;
    EXPECT_EQ(spec.max_unavailable, test.want_unavailable) << test.unavailable;
    EXPECT_FALSE(spec.has_progress_deadline());
  }
}

TEST(RolloutTest, TheNewSetGrowsWithinTheSurge) {
  std::deque<RolloutSet> sets = Sets({{10, 10}, {0, 0}});
  const RolloutSets all = Pointers(sets);
  EXPECT_EQ(NewSetReplicas({.replicas = 10, .max_surge = 3}, all, 0), 3);
  EXPECT_EQ(NewSetReplicas({.replicas = 10, .max_surge = 0}, all, 0), 0);
  EXPECT_EQ(NewSetReplicas({.replicas = 2, .max_surge = 20}, all, 0), 2);
  EXPECT_EQ(NewSetReplicas({.replicas = 7, .is_rolling = false}, all, 0), 7);
}

TEST(RolloutTest, OldPodsGoAsFarAsTheyCanBeSpared) {
  struct Case {
    std::string name;
    std::vector<SetCase> sets;  // the last one is the new set
    std::int64_t unavailable;
    std::vector<std::int64_t> want;
  };
  const std::vector<Case> cases = {
      {"all are needed", {{10, 10}, {3, 0}}, 0, {10, 3}},
      {"what is available in the new one replaces", {{10, 10}, {3, 3}}, 0, {7, 3}},
      {"some may be missing", {{10, 10}, {0, 0}}, 2, {8, 0}},
      {"the unhealthy go first", {{5, 5}, {5, 2}, {3, 0}}, 2, {5, 3, 3}},
      {"the oldest go first", {{5, 5}, {5, 5}, {4, 4}}, 0, {1, 5, 4}},
      {"nothing is left to take", {{0, 0}, {10, 10}}, 0, {0, 10}},
  };
  for (const Case& test : cases) {
    std::deque<RolloutSet> sets = Sets(test.sets);
    RolloutSets old_sets = Pointers(sets);
    const RolloutSet& fresh = *old_sets.back();
    old_sets.pop_back();
    const bool has_changed =
        ScaleDownOld({.replicas = 10, .max_unavailable = test.unavailable}, old_sets, fresh);
    EXPECT_EQ(Wanted(sets), test.want) << test.name;
    std::vector<std::int64_t> before;
    for (const RolloutSet& set : sets) before.push_back(set.replicas);
    EXPECT_EQ(has_changed, before != test.want) << test.name;
  }
}

TEST(RolloutTest, AChangeOfSizeIsSharedOut) {
  struct Case {
    std::string name;
    std::vector<SetCase> sets;
    std::int64_t replicas;
    std::int64_t surge;
    std::vector<std::int64_t> want;
  };
  const std::vector<Case> cases = {
      {"up, by size", {{10, 0, 15}, {5, 0, 15}}, 30, 0, {20, 10}},
      {"down, by size", {{20, 0, 30}, {10, 0, 30}}, 15, 0, {10, 5}},
      {"to nothing", {{5, 0, 10}, {5, 0, 10}}, 0, 0, {0, 0}},
      {"what is left over goes to the largest",
       {{5, 0, 10}, {4, 0, 10}, {1, 0, 10}},
       20,
       0,
       {10, 8, 2}},
      {"nothing changes", {{5, 0, 10}, {5, 0, 10}}, 10, 0, {5, 5}},
  };
  for (const Case& test : cases) {
    std::deque<RolloutSet> sets = Sets(test.sets);
    ScaleProportionally({.replicas = test.replicas, .max_surge = test.surge}, Pointers(sets), 10);
    EXPECT_EQ(Wanted(sets), test.want) << test.name;
  }
}

TEST(TemplateHashTest, FollowsWhatIsMeant) {
  const auto tree = [](std::string_view text) {
    return std::move(codec::ParseYaml(text)->front());
  };
  const auto a = tree("metadata: {labels: {app: web, tier: front}}\nspec: {x: 1}\n");
  const auto same = tree("spec: {x: 1}\nmetadata: {labels: {tier: front, app: web}}\n");
  const auto other = tree("metadata: {labels: {app: web, tier: front}}\nspec: {x: 2}\n");
  const auto hashed =
      tree("metadata: {labels: {app: web, tier: front, pod-template-hash: abc}}\nspec: {x: 1}\n");
  const auto hash = TemplateHash(a->root(), std::nullopt);
  EXPECT_EQ(hash, TemplateHash(same->root(), std::nullopt));
  EXPECT_NE(hash, TemplateHash(other->root(), std::nullopt));
  EXPECT_NE(hash, TemplateHash(a->root(), 1));
  EXPECT_EQ(hash.find_first_not_of("bcdfghjklmnpqrstvwxz2456789"), std::string::npos);
  EXPECT_TRUE(SameTemplate(&a->root(), &hashed->root()));
  EXPECT_TRUE(SameTemplate(&hashed->root(), &a->root()));
  EXPECT_FALSE(SameTemplate(&a->root(), &other->root()));
  EXPECT_FALSE(SameTemplate(&a->root(), nullptr));
}

}  // namespace
}  // namespace plimsoll::controller
