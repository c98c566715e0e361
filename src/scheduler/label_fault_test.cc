#include "scheduler/label_fault.h"

#include "gtest/gtest.h"

namespace plimsoll::scheduler {
namespace {

TEST(LabelFaultTest, SaysWhichLabelCannotBeCompared) {
  const api::NodeSelectorRequirement version{"kernel", "SemverGt", {"5.10.0"}};
  EXPECT_EQ(FaultToLog(version, "6.1.0"), std::nullopt);
  ASSERT_TRUE(FaultToLog(version, "newest"));
  EXPECT_EQ(FaultToLog(version, "newest")->message,
            "Parse semver failed for value newest in label kernel");
  EXPECT_NE(FaultToLog(version, "newest")->fields[0].second, "");
  const api::NodeSelectorRequirement number{"generation", "Lt", {"5"}};
  EXPECT_EQ(FaultToLog(number, "-3"), std::nullopt);
  ASSERT_TRUE(FaultToLog(number, "third"));
  EXPECT_EQ(FaultToLog(number, "third")->message,
            "ParseInt failed for value third in label generation");
}

TEST(LabelFaultTest, LooksAtComparisonsOfRequiredTermsAlone) {
  api::PodSpec spec;
  EXPECT_TRUE(ComparisonsOf(spec).empty());
  api::NodeAffinity& affinity = spec.affinity.emplace().node_affinity.emplace();
  affinity.preferred = {{1, {{{"a", "SemverGt", {"1"}}}, {}}}};
  EXPECT_TRUE(ComparisonsOf(spec).empty());
  affinity.required.emplace().terms = {{{{"a", "In", {"1"}}, {"b", "SemverEq", {"1"}}}, {}},
                                       {{{"c", "Gt", {"1"}}}, {}}};
  ASSERT_EQ(ComparisonsOf(spec).size(), 2U);
  EXPECT_EQ(ComparisonsOf(spec)[0]->key, "b");
  EXPECT_EQ(ComparisonsOf(spec)[1]->key, "c");
}

}  // namespace
}  // namespace plimsoll::scheduler
