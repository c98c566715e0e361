#include "match/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

api::PodSpec PodRequiring(std::vector<api::NodeSelectorTerm> terms) {
  api::PodSpec pod;
  pod.affinity.emplace().node_affinity.emplace().required = {std::move(terms)};
  return pod;
}

TEST(DiagnoseTest, NamesTheRequirementsThatFail) {
  const api::PodSpec pod = PodRequiring({
      {{{"zone", "In", {"a", "b"}}, {"gen", "Gt", {"5"}}, {"gpu", "Exists", {}}}, {}},
      {{}, {{"metadata.name", "In", {"n2"}}}},
      {{{"gen", "Gt", {"many"}}}, {}},
      {},
      {{{"kernel", "SemverGt", {"5.10.0"}}}, {}},
  });
  api::Node node;
  node.metadata.name = "n1";
  node.metadata.labels = {{"gen", "5"}, {"kernel", "5.10.0-26-amd64"}, {"zone", "c"}};
  const Diagnosis diagnosis = Diagnose(pod, node, Rules{});
  EXPECT_FALSE(diagnosis.accepted);
  EXPECT_THAT(
      Refusals(diagnosis),
      ElementsAre(
          "affinity term 0: zone In (a, b): label c is not listed; gen Gt 5: label 5 is not "
          "greater than 5; gpu Exists: the node has no such label",
          "affinity term 1: metadata.name In (n2): field n1 is not listed",
          "affinity term 2: nodeSelectorTerms[2].matchExpressions[0].values[0]: Invalid value: "
          "\"many\": for 'Gt', 'Lt' operators, the value must be an integer",
          "affinity term 3: an empty term matches nothing",
          "affinity term 4: kernel SemverGt 5.10.0: label 5.10.0-26-amd64 is not greater than "
          "5.10.0 (5.10.0-26-amd64 sorts below 5.10.0)"));
}

TEST(DiagnoseTest, OneMatchingTermIsEnough) {
  const api::PodSpec pod =
      PodRequiring({{{{"zone", "In", {"a"}}}, {}}, {{{"zone", "In", {"b"}}}, {}}});
  api::Node node;
  node.metadata.labels = {{"zone", "b"}};
  const Diagnosis diagnosis = Diagnose(pod, node, Rules{});
  EXPECT_TRUE(diagnosis.accepted);
  EXPECT_THAT(Refusals(diagnosis), IsEmpty());
  EXPECT_EQ(Summary(diagnosis), "accepted");
}

TEST(DiagnoseTest, AnEmptyListOfTermsRefusesWithAReason) {
  EXPECT_THAT(Refusals(Diagnose(PodRequiring({}), {}, Rules{})),
              ElementsAre("affinity: an empty list of terms matches nothing"));
}

TEST(DiagnoseTest, PreferNoScheduleOnlyAdvises) {
  api::PodSpec pod;
  pod.node_selector = {{"disk", "ssd"}, {"zone", "a"}};
  api::Node node;
  node.metadata.labels = {{"zone", "b"}};
  node.spec.taints = {{"busy", "", "PreferNoSchedule"}};
  const Diagnosis diagnosis = Diagnose(pod, node, Rules{});
  EXPECT_THAT(Advisories(diagnosis),
              ElementsAre("taint busy:PreferNoSchedule: the pod has no tolerations"));
  EXPECT_THAT(Refusals(diagnosis), ElementsAre("node selector disk=ssd: the node has no such label",
                                               "node selector zone=a: the node has zone=b"));
  EXPECT_EQ(Summary(diagnosis), "node selector disk=ssd: the node has no such label (and 1 more)");
}

}  // namespace
}  // namespace plimsoll::match
