#include "scheduler/framework/diagnosis.h"

#include <gtest/gtest.h>

namespace plimsoll::scheduler {
namespace {

Diagnosis::Refusal Refuse(std::vector<std::string> reasons, std::uint32_t nodes) {
  return {Verdict{Code::Unschedulable, std::move(reasons), "P"}, nodes, {}};
}

TEST(DiagnosisTest, CountsEachReasonOverAllNodesAndSortsThePiecesAsTexts) {
  Diagnosis diagnosis;
  diagnosis.node_count = 12;
  diagnosis.refusals.push_back(Refuse({"Insufficient cpu"}, 1));
  diagnosis.refusals.push_back(Refuse({"Too many pods", "Insufficient cpu"}, 10));
  diagnosis.refusals.push_back(Refuse({"node(s) were unschedulable"}, 2));
  EXPECT_EQ(diagnosis.FilterMessage(),
            "0/12 nodes are available: 10 Too many pods, 11 Insufficient cpu, 2 node(s) were "
            "unschedulable.");
}

TEST(DiagnosisTest, ARefusalOfPreFilterStandsForAllNodes) {
  Diagnosis diagnosis;
  diagnosis.node_count = 6;
  diagnosis.pre_filter =
      Verdict::Of(Code::UnschedulableAndUnresolvable, "persistentvolumeclaim \"data\" not found");
  diagnosis.post_filter = "not found";
  EXPECT_EQ(diagnosis.Message(),
            "0/6 nodes are available: persistentvolumeclaim \"data\" not found. not found");
}

TEST(DiagnosisTest, ThereMayBeNoNodes) {
  EXPECT_EQ(Diagnosis{}.FilterMessage(), "no nodes available to schedule pods");
}

}  // namespace
}  // namespace plimsoll::scheduler
