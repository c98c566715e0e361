#include "scheduler/volume/pod_volumes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scheduler/volume/bench_for_test.h"
#include "scheduler/volume/node_condition.h"

namespace plimsoll::scheduler {
namespace {

std::string AnySize() { return std::to_string(*rc::gen::inRange(1, 6)) + "Gi"; }

std::string AnyPlace() {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return "";
    case 1:
      return OnlyWhere("zone", std::string(1, *rc::gen::inRange('a', 'd')));
    case 2:
      return OnlyWhere("host", "n" + std::to_string(*rc::gen::inRange(0, 6)));
    case 3:
      return "nodeAffinity: {required: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, "
             "operator: In, values: [n0]}]}]}}";
    default:
      return "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kernel, "
             "operator: SemverGt, values: [5." +
             std::to_string(*rc::gen::inRange(0, 4)) + ".0]}]}]}}";
  }
}

void PutAnyClaims(PluginBench& bench, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string name = "c" + std::to_string(i);
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        bench.Put(BoundClaimTo(name, "v" + std::to_string(*rc::gen::inRange(0, 9))));
        break;
      case 1:
        bench.Put(WaitingClaim(name, AnySize(),
                               "annotations: {volume.kubernetes.io/selected-node: n" +
                                   std::to_string(*rc::gen::inRange(0, 6)) + "}"));
        break;
      default:
        bench.Put(WaitingClaim(name, AnySize()));
    }
  }
}

void PutAnyClass(PluginBench& bench) {
  const std::string topologies =
      *rc::gen::arbitrary<bool>()
          ? ""
          : "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]";
  bench.Put(AClass("fast", *rc::gen::element<std::string>("kubernetes.io/no-provisioner", "d"),
                   "WaitForFirstConsumer", topologies));
  if (*rc::gen::arbitrary<bool>()) {
    bench.Put(Named("CSIDriver", "", "d", "spec: {storageCapacity: true}", {}, kStorage));
  }
  for (int i = 0; i < *rc::gen::inRange(0, 3); ++i) {
    bench.Put(Named("CSIStorageCapacity", "s", "pool" + std::to_string(i),
                    "storageClassName: fast\ncapacity: " + AnySize() +
                        "\nnodeTopology: {matchExpressions: [{key: zone, operator: NotIn, values: "
                        "[" +
                        std::string(1, *rc::gen::inRange('a', 'd')) + "]}]}",
                    {}, kStorage));
  }
}

RC_GTEST_PROP(PodVolumesTest, SetsOfNodesGetTheAnswersOfSingleOnes, ()) {
  PluginBench bench("VolumeBinding");
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    bench.Put(LabelledNode("n" + number,
                           "{host: n" + number +
                               ", zone: " + std::string(1, *rc::gen::inRange('a', 'd')) +
                               ", kernel: 5." + std::to_string(*rc::gen::inRange(0, 5)) + ".0}"));
  }
  PutAnyClass(bench);
  for (int i = 0; i < *rc::gen::inRange(0, 8); ++i) {
    const std::string owner =
        *rc::gen::inRange(0, 5) == 0 ? "claimRef: {namespace: default, name: c0}" : "";
    const std::string place = AnyPlace();
    bench.Put(AVolume("v" + std::to_string(i), AnySize(),
                      owner.empty() || place.empty() ? owner + place : owner + ", " + place));
  }
  const int claims = *rc::gen::inRange(1, 4);
  PutAnyClaims(bench, claims);
  std::vector<std::string> names;
  for (int i = 0; i < claims; ++i) names.push_back("c" + std::to_string(i));
  const ObjectPtr pod = PodWithClaims("p", names);
  for (const auto& [node, answer] : bench.Ask(pod)) {
    RC_ASSERT(answer.find("not so") == std::string::npos);
  }
  for (const auto& [node, score] : bench.Scores(pod)) RC_ASSERT(score != PluginBench::kFormsDiffer);
}

TEST(NodeConditionTest, ASelectorThatCannotBeReadHoldsNowhere) {
  const ObjectPtr capacity =
      Named("CSIStorageCapacity", "s", "pool",
            "storageClassName: fast\nnodeTopology: {matchExpressions: [{key: a, operator: Gt, "
            "values: ['1']}]}",
            {}, kStorage);
  const auto condition = NodeCondition::OfCapacity(*capacity->As<api::CsiStorageCapacity>());
  EXPECT_FALSE(condition.Holds({{"a", "2"}}, match::Rules{}));
}

}  // namespace
}  // namespace plimsoll::scheduler
