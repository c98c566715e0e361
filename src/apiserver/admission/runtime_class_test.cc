#include "apiserver/admission/runtime_class.h"

#include <gtest/gtest.h>

#include "apiserver/admission/admission_for_test.h"

namespace plimsoll::apiserver {
namespace {

class RuntimeClassTest : public testing::Test, public AdmissionFixture {
 protected:
  void PutClass(std::string_view name, std::string_view rest) {
    Put(Of("runtimeclasses", "node.k8s.io"), "", name,
        R"(,"handler":"h")" + std::string(rest.empty() ? "" : ",") + std::string(rest));
  }
  std::string Create(std::string_view spec) {
    return Ask(gate_,
               {.object = R"({"metadata":{"name":"web"},"spec":{)" + std::string(spec) + "}}"});
  }
  static std::string Pod(std::string_view spec) {
    return R"({"metadata":{"name":"web"},"spec":{)" + std::string(spec) + "}}";
  }

  RuntimeClass gate_{cache(), Of("runtimeclasses", "node.k8s.io")};
};

TEST_F(RuntimeClassTest, AMissingClassRefusesThePod) {
  EXPECT_EQ(Create(R"("runtimeClassName":"gone")"),
            R"(403 pods "web" is forbidden: pod rejected: RuntimeClass "gone" not found)");
  EXPECT_EQ(Create(""), Pod(""));
}

TEST_F(RuntimeClassTest, MergesTolerationsWithEveryOperator) {
  PutClass("gpu", R"("scheduling":{"tolerations":[)"
                  R"({"key":"risk","operator":"Lt","value":"500","effect":"NoSchedule"},)"
                  R"({"key":"driver","operator":"SemverGt","value":"1.2.0"},)"
                  R"({"expression":"taint.key == 'gpu'"},)"
                  R"({"key":"a","operator":"Exists"}]})");
  EXPECT_EQ(Create(R"("runtimeClassName":"gpu","tolerations":[)"
                   R"({"key":"a","operator":"Equal","value":"1","effect":"NoSchedule"},)"
                   R"({"key":"risk","operator":"Lt","value":"500","effect":"NoSchedule"},)"
                   R"({"key":"risk","operator":"Lt","value":"700","effect":"NoSchedule"}])"),
            Pod(R"("runtimeClassName":"gpu","tolerations":[)"
                R"({"key":"risk","operator":"Lt","value":"500","effect":"NoSchedule"},)"
                R"({"key":"risk","operator":"Lt","value":"700","effect":"NoSchedule"},)"
                R"({"key":"driver","operator":"SemverGt","value":"1.2.0"},)"
                R"({"expression":"taint.key == 'gpu'"},)"
                R"({"key":"a","operator":"Exists"}])"));
}

TEST_F(RuntimeClassTest, AShorterTimeDoesNotCoverALongerOne) {
  PutClass("slow",
           R"("scheduling":{"tolerations":[)"
           R"({"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}]})");
  EXPECT_EQ(
      Create(R"("runtimeClassName":"slow","tolerations":[)"
             R"({"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":9}])"),
      Pod(R"("runtimeClassName":"slow","tolerations":[)"
          R"({"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":9}])"));
}

TEST_F(RuntimeClassTest, MergesTheNodeSelectorUnlessItContradicts) {
  PutClass("gpu", R"("scheduling":{"nodeSelector":{"gpu":"yes","zone":"a"}})");
  EXPECT_EQ(Create(R"("runtimeClassName":"gpu","nodeSelector":{"zone":"a"})"),
            Pod(R"("runtimeClassName":"gpu","nodeSelector":{"zone":"a","gpu":"yes"})"));
  EXPECT_EQ(
      Create(R"("runtimeClassName":"gpu","nodeSelector":{"zone":"b"})"),
      R"(403 pods "web" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[zone] = )"
      "a; pod.spec.nodeSelector[zone] = b");
}

TEST_F(RuntimeClassTest, TheOverheadIsTheClasss) {
  PutClass("vm", R"("overhead":{"podFixed":{"cpu":"250m"}})");
  PutClass("bare", "");
  EXPECT_EQ(Create(R"("runtimeClassName":"vm")"),
            Pod(R"("runtimeClassName":"vm","overhead":{"cpu":"250m"})"));
  EXPECT_EQ(Create(R"("runtimeClassName":"vm","overhead":{"cpu":"0.25"})"),
            Pod(R"("runtimeClassName":"vm","overhead":{"cpu":"250m"})"));
  EXPECT_EQ(Create(R"("runtimeClassName":"vm","overhead":{"cpu":"1"})"),
            R"(403 pods "web" is forbidden: pod rejected: Pod's Overhead doesn't match )"
            "RuntimeClass's defined Overhead");
  for (const std::string_view spec :
       {R"("overhead":{"cpu":"1"})", R"("runtimeClassName":"bare","overhead":{"cpu":"1"})"}) {
    EXPECT_EQ(
        Create(spec),
        R"(403 pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding )"
        "RuntimeClass defined Overhead");
  }
}

TEST_F(RuntimeClassTest, OnlyNewPodsAreLookedAt) {
  EXPECT_EQ(Ask(gate_, {.operation = Operation::Update,
                        .object = Pod(R"("runtimeClassName":"gone")"),
                        .before = Pod(R"("runtimeClassName":"gone")")}),
            Pod(R"("runtimeClassName":"gone")"));
}

}  // namespace
}  // namespace plimsoll::apiserver
