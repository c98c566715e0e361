#include "scheduler/failure/refusal_details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "scheduler/limits.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::SizeIs;

class RefusalDetailsTest : public testing::Test {
 protected:
  void AddNode(std::string_view name, std::string_view spec, std::string_view metadata = {}) {
    cluster_.UpsertNode(*NodeFromYaml(name, "{}", spec, metadata)->As<api::Node>());
  }
  /// A diagnosis of the plugin's refusal of all nodes.
  Diagnosis AllRefusedBy(std::string_view plugin) {
    Diagnosis diagnosis;
    diagnosis.refusals.push_back({.verdict = Verdict::Of(Code::Unschedulable, "no"),
                                  .nodes = static_cast<std::uint32_t>(cluster_.node_count()),
                                  .which = cluster_.nodes()});
    diagnosis.refusals[0].verdict.plugin = plugin;
    return diagnosis;
  }

  ClusterState cluster_{{.comparison = true, .semver = true}};
  FaultLog log_;
  api::Actions out_;
  const api::Turn turn_{Instant(), out_};
};

TEST_F(RefusalDetailsTest, NamesTheTaintAndTheNearestToleration) {
  AddNode("a", "{taints: [{key: load, value: '15', effect: NoSchedule}]}");
  AddNode("b", "{taints: [{key: load, value: '15', effect: NoSchedule}]}");
  const PodId pod = cluster_.UpsertPod(
      PodFromYaml("web", "{tolerations: [{key: load, operator: Lt, value: '5'}]}"));
  Diagnosis diagnosis = AllRefusedBy("TaintToleration");
  AddTaintDetails(cluster_, pod, diagnosis, log_, turn_);
  ASSERT_THAT(diagnosis.taints, SizeIs(1));
  EXPECT_EQ(diagnosis.taints[0].nodes, 2U);
  EXPECT_TRUE(diagnosis.has_numeric_mismatch);
  EXPECT_THAT(out_, SizeIs(0)) << "a value that differs is no fault";
}

TEST_F(RefusalDetailsTest, ListsAtMostSoManyTaints) {
  for (std::size_t i = 0; i <= kDiagnosedTaintsMax; ++i) {
    AddNode("n" + std::to_string(i),
            "{taints: [{key: k" + std::to_string(i) + ", effect: NoSchedule}]}");
  }
  const PodId pod = cluster_.UpsertPod(PodFromYaml("web", "{}"));
  Diagnosis diagnosis = AllRefusedBy("TaintToleration");
  AddTaintDetails(cluster_, pod, diagnosis, log_, turn_);
  EXPECT_THAT(diagnosis.taints, SizeIs(kDiagnosedTaintsMax));
}

TEST_F(RefusalDetailsTest, LogsALabelThatIsNoVersionOnce) {
  AddNode("a", "{}", "labels: {kernel: newest}");
  AddNode("b", "{}", "labels: {kernel: newest}");
  const PodId pod = cluster_.UpsertPod(PodFromYaml(
      "web",
      "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: [{matchExpressions: [{key: kernel, operator: SemverGt, values: "
      "['5.10.0']}]}]}}}}"));
  Diagnosis diagnosis = AllRefusedBy("NodeAffinity");
  AddLabelDetails(cluster_, pod, diagnosis, log_, turn_);
  AddLabelDetails(cluster_, pod, diagnosis, log_, turn_);
  EXPECT_TRUE(diagnosis.has_label_parse_failure);
  EXPECT_THAT(out_, SizeIs(1));
}

}  // namespace
}  // namespace plimsoll::scheduler
