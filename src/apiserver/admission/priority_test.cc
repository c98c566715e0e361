#include "apiserver/admission/priority.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

class PriorityTest : public testing::Test, public AdmissionFixture {
 protected:
  void PutClass(std::string_view name, std::string_view rest) {
    Put(Of("priorityclasses", "scheduling.k8s.io"), "", name, "," + std::string(rest));
  }
  std::string Create(std::string_view spec) {
    return Ask(gate_,
               {.object = R"({"metadata":{"name":"web"},"spec":{)" + std::string(spec) + "}}"});
  }
  Priority gate_{cache(), Of("priorityclasses", "scheduling.k8s.io")};
};

TEST_F(PriorityTest, TheClassDecides) {
  PutClass("high", R"("value":1000,"preemptionPolicy":"Never")");
  EXPECT_EQ(Create(R"("priorityClassName":"high")"),
            R"({"metadata":{"name":"web"},"spec":{"priorityClassName":"high","priority":1000,)"
            R"("preemptionPolicy":"Never"}})");
  EXPECT_EQ(Create(R"("priorityClassName":"none")"),
            R"(403 pods "web" is forbidden: no PriorityClass with name none was found)");
}

TEST_F(PriorityTest, WithoutAClassTheDefaultOneOrZero) {
  EXPECT_EQ(Create(""), R"({"metadata":{"name":"web"},"spec":{"priority":0,)"
                        R"("preemptionPolicy":"PreemptLowerPriority"}})");
  PutClass("usual", R"("value":7,"globalDefault":true)");
  EXPECT_EQ(Create(""), R"({"metadata":{"name":"web"},"spec":{"priorityClassName":"usual",)"
                        R"("priority":7,"preemptionPolicy":"PreemptLowerPriority"}})");
}

TEST_F(PriorityTest, AClassThatCannotBeReadIsAnErrorForItsPodsOnly) {
  PutClass("broken", R"("value":"x","globalDefault":true)");
  EXPECT_EQ(Create(R"("priorityClassName":"broken")"),
            "500 Internal error occurred: the stored value of priorityclasses/broken is not a "
            "valid object");
  EXPECT_EQ(Create(""), R"({"metadata":{"name":"web"},"spec":{"priority":0,)"
                        R"("preemptionPolicy":"PreemptLowerPriority"}})");
}

TEST_F(PriorityTest, NobodySetsTheNumberThemselves) {
  EXPECT_EQ(
      Create(R"("priority":5)"),
      R"(403 pods "web" is forbidden: the integer value of priority (5) must not be provided )"
      "in pod spec; priority admission controller computed 0 from the given PriorityClass "
      "name");
  EXPECT_EQ(Create(R"("preemptionPolicy":"Never")"),
            R"(403 pods "web" is forbidden: the string value of PreemptionPolicy (Never) must not )"
            "be provided in pod spec; priority admission controller computed PreemptLowerPriority "
            "from the given PriorityClass name");
}

TEST_F(PriorityTest, AnUpdateKeepsWhatItDoesNotSay) {
  EXPECT_EQ(Ask(gate_, {.operation = Operation::Update,
                        .object = R"({"spec":{}})",
                        .before = R"({"spec":{"priority":9}})"}),
            R"({"spec":{"priority":9}})");
}

TEST_F(PriorityTest, OnlyOneClassIsTheDefault) {
  PutClass("usual", R"("value":7,"globalDefault":true)");
  const auto ask = [&](std::string name) {
    return Ask(gate_, {.plural = "priorityclasses",
                       .group = "scheduling.k8s.io",
                       .object = R"({"metadata":{"name":")" + name +
                                 R"("},"value":1,"globalDefault":true})"});
  };
  EXPECT_EQ(ask("other"),
            R"(403 priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is )"
            "already marked as default. Only one default can exist");
  EXPECT_TRUE(ask("usual").starts_with("{"));
}

}  // namespace
}  // namespace plimsoll::apiserver
