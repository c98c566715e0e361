#include "apiserver/admission/threshold_warnings.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

class ThresholdWarningsTest : public testing::Test, public AdmissionFixture {
 protected:
  void PutNode(std::string_view value) {
    Put(Of("nodes"), "", "n1",
        R"(,"spec":{"taints":[{"key":"sla","value":")" + std::string(value) +
            R"(","effect":"NoSchedule"}]})");
  }
  std::vector<std::string> Warnings(std::string_view value) { return Warnings(gate_, value); }
  std::vector<std::string> Warnings(ThresholdWarnings& gate, std::string_view value) {
    Ask(gate, {.object = R"({"spec":{"tolerations":[{"key":"sla","operator":"Gt","value":")" +
                         std::string(value) + R"("}]}})"});
    return warnings;
  }
  FixedAuthorizer authorizer_;
  ThresholdWarnings gate_{cache(), Of("nodes"), authorizer_};
};

TEST_F(ThresholdWarningsTest, AValueOnTheLineIsRemarked) {
  EXPECT_TRUE(Warnings("950").empty());
  PutNode("950");
  ASSERT_EQ(Warnings("950").size(), 1u);
  EXPECT_TRUE(Warnings("950")[0].starts_with("spec.tolerations[0].value: ")) << warnings[0];
  EXPECT_TRUE(Warnings("950")[0].contains("Gt 950 excludes 950; Gt 949 includes it"))
      << warnings[0];
  EXPECT_TRUE(Warnings("949").empty());
}

TEST_F(ThresholdWarningsTest, AUserWhoMayNotGetNodesIsToldNothingAboutThem) {
  PutNode("950");
  authorizer_.is_allowed = false;
  EXPECT_TRUE(Warnings("950").empty());
  EXPECT_EQ(authorizer_.asked.verb, "get");
  EXPECT_EQ(authorizer_.asked.resource, "nodes");
}

TEST_F(ThresholdWarningsTest, AnExpressionForAnotherSchedulerIsRemarked) {
  const auto warnings_for = [&](std::string_view scheduler) {
    Ask(gate_, {.object = R"({"spec":{"schedulerName":")" + std::string(scheduler) +
                          R"(","tolerations":[{"key":"a","operator":"Exists"},)"
                          R"({"expression":"taint.key == 'a'"}]}})"});
    return warnings;
  };
  EXPECT_TRUE(warnings_for("default-scheduler").empty());
  EXPECT_EQ(
      warnings_for("other"),
      std::vector<std::string>{
          "spec.tolerations[1].expression: scheduler \"other\" must be Plimsoll's; an upstream "
          "scheduler does not know the field and reads a toleration of every taint without a "
          "value"});
}

TEST_F(ThresholdWarningsTest, FollowsTheNodes) {
  PutNode("950");
  PutNode("960");
  EXPECT_TRUE(Warnings("950").empty());
  EXPECT_EQ(Warnings("960").size(), 1u);
  Delete(Of("nodes"), "", "n1");
  EXPECT_TRUE(Warnings("960").empty());
}

TEST_F(ThresholdWarningsTest, ReadsTheNodesAgainWhenTheCacheStartsAnew) {
  LoseStore();
  PutNode("950");
  EXPECT_EQ(Warnings("950").size(), 1u);
}

TEST_F(ThresholdWarningsTest, ANodeThatCannotBeReadIsPassedOver) {
  PutNode("950");
  Put(Of("nodes"), "", "n2", R"(,"spec":{"taints":5})");
  EXPECT_EQ(Warnings("950").size(), 1u);
}

TEST_F(ThresholdWarningsTest, LooksIntoTemplates) {
  PutNode("950");
  Ask(gate_, {.plural = "deployments",
              .group = "apps",
              .object = R"({"kind":"Deployment","spec":{"template":{"spec":{"tolerations":[)"
                        R"({"key":"sla","operator":"Gt","value":"950"}]}}}})"});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("spec.template.spec.tolerations[0].value: "));
}

}  // namespace
}  // namespace plimsoll::apiserver
