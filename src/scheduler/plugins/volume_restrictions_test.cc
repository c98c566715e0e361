#include <gtest/gtest.h>

#include "scheduler/volume/bench_for_test.h"

namespace plimsoll::scheduler {
namespace {

using Answers = std::map<std::string, std::string>;

const std::string kDisk = "Unschedulable: node(s) had no available disk";
const std::string kExclusive =
    "Unschedulable: node has pod using PersistentVolumeClaim with the same name and "
    "ReadWriteOncePod access mode";

ObjectPtr PodWithDisk(std::string_view name, std::string_view disk, std::string_view node = {}) {
  return PodFromYaml(name, "{nodeName: '" + std::string(node) + "', volumes: [{name: v, " +
                               std::string(disk) + "}]}");
}

TEST(VolumeRestrictionsTest, DisksThatCannotBeShared) {
  struct Case {
    std::string theirs, ours;
    bool want;
  };
  const std::vector<Case> cases{
      {"gcePersistentDisk: {pdName: d}", "gcePersistentDisk: {pdName: d}", false},
      {"gcePersistentDisk: {pdName: d}", "gcePersistentDisk: {pdName: e}", true},
      {"gcePersistentDisk: {pdName: d, readOnly: true}",
       "gcePersistentDisk: {pdName: d, readOnly: true}", true},
      {"gcePersistentDisk: {pdName: d, readOnly: true}", "gcePersistentDisk: {pdName: d}", false},
      {"awsElasticBlockStore: {volumeID: d, readOnly: true}",
       "awsElasticBlockStore: {volumeID: d, readOnly: true}", false},
      {"awsElasticBlockStore: {volumeID: d}", "awsElasticBlockStore: {volumeID: e}", true},
      {"iscsi: {iqn: q, targetPortal: t, lun: 0}", "iscsi: {iqn: q, targetPortal: t, lun: 1}",
       false},
      {"iscsi: {iqn: q, targetPortal: t, lun: 0, readOnly: true}",
       "iscsi: {iqn: q, targetPortal: t, lun: 0, readOnly: true}", true},
      {"rbd: {monitors: [a, b], pool: p, image: i}", "rbd: {monitors: [b, c], pool: p, image: i}",
       false},
      {"rbd: {monitors: [a], pool: p, image: i}", "rbd: {monitors: [b], pool: p, image: i}", true},
      {"rbd: {monitors: [a], pool: p, image: i}", "rbd: {monitors: [a], pool: q, image: i}", true},
      {"rbd: {monitors: [a], pool: p, image: i, readOnly: true}",
       "rbd: {monitors: [a], pool: p, image: i, readOnly: true}", true},
      {"emptyDir: {}", "gcePersistentDisk: {pdName: d}", true},
  };
  for (const Case& test : cases) {
    PluginBench bench("VolumeRestrictions");
    bench.Put(ANode("full"));
    bench.Put(ANode("empty"));
    bench.Put(PodWithDisk("theirs", test.theirs, "full"));
    EXPECT_EQ(bench.Ask(PodWithDisk("ours", test.ours)),
              (Answers{{"empty", "Success"}, {"full", test.want ? "Success" : kDisk}}))
        << test.theirs << " " << test.ours;
  }
}

class ExclusiveClaimTest : public testing::Test {
 protected:
  ExclusiveClaimTest() : bench_("VolumeRestrictions") {
    bench_.Put(ANode("a"));
    bench_.Put(ANode("b"));
    bench_.Put(AClaim("one", "{accessModes: [ReadWriteOncePod]}"));
    bench_.Put(AClaim("many", "{accessModes: [ReadWriteOnce]}"));
  }
  PluginBench bench_;
};

TEST_F(ExclusiveClaimTest, AClaimForOnePodIsUsedOnce) {
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"one"})), (Answers{{"", "Skip"}}));
  bench_.Put(PodWithClaims("q", {"one", "many"}, "a"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"one"})),
            (Answers{{"a", kExclusive}, {"b", kExclusive}}));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"many"})), (Answers{{"", "Skip"}}));
}

TEST_F(ExclusiveClaimTest, AMissingClaimIsNamed) {
  EXPECT_EQ(
      bench_.Ask(PodWithClaims("p", {"data"})),
      (Answers{{"", "UnschedulableAndUnresolvable: persistentvolumeclaim \"data\" not found"}}));
}

TEST_F(ExclusiveClaimTest, WithoutItsUserTheClaimIsFree) {
  bench_.Put(PodWithClaims("q", {"one"}, "a"));
  ClusterState& cluster = bench_.cluster();
  const ObjectPtr pod = PodWithClaims("p", {"one"});
  const auto pod_class = cluster.ClassOf(pod);
  const PodUnderTest question{kNoPod, *pod->As<api::Pod>(), *pod_class};
  const PreFilterOutcome outcome = bench_.plugin_as<PreFilterPlugin>().PreFilter(question);
  const std::unique_ptr<PluginState> state = outcome.state->Clone();
  const NodeView node = cluster.view(*cluster.FindNode("a"));
  const PodId user = node.row.pods.front();
  bench_.plugin_as<PreFilterExtensions>().RemovePod(state.get(), user, node);
  EXPECT_TRUE(bench_.plugin_as<FilterPlugin>().Judge(state.get(), node).ok());
  EXPECT_FALSE(bench_.plugin_as<FilterPlugin>().Judge(outcome.state.get(), node).ok());
  bench_.plugin_as<PreFilterExtensions>().AddPod(state.get(), user, node);
  EXPECT_FALSE(bench_.plugin_as<FilterPlugin>().Judge(state.get(), node).ok());
}

TEST_F(ExclusiveClaimTest, OnlyWhatMayHelpWakesAPod) {
  const PodId id = bench_.cluster().UpsertPod(PodWithClaims("p", {"one"}));
  const auto hint = [&](EventResource resource, const ObjectPtr& before, const ObjectPtr& now) {
    const ClusterEvent event{resource, before == nullptr ? kAdd : kDelete, "", before, now};
    return bench_.plugin_as<EnqueueExtensions>().HintFor(bench_.cluster().pod(id), event);
  };
  EXPECT_EQ(hint(EventResource::AssignedPod, PodWithClaims("q", {"one"}, "a"), nullptr),
            Hint::Queue);
  EXPECT_EQ(hint(EventResource::AssignedPod, PodWithClaims("q", {"many"}, "a"), nullptr),
            Hint::Skip);
  EXPECT_EQ(hint(EventResource::PersistentVolumeClaim, nullptr, AClaim("one", "{}")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::PersistentVolumeClaim, nullptr, AClaim("two", "{}")), Hint::Skip);
  EXPECT_EQ(hint(EventResource::Node, nullptr, ANode("n")), Hint::Queue);
  const PodId with_disk =
      bench_.cluster().UpsertPod(PodWithDisk("d", "awsElasticBlockStore: {volumeID: d}"));
  const ClusterEvent freed{EventResource::AssignedPod, kDelete, "",
                           PodWithDisk("e", "awsElasticBlockStore: {volumeID: d}", "a"), nullptr};
  EXPECT_EQ(bench_.plugin_as<EnqueueExtensions>().HintFor(bench_.cluster().pod(with_disk), freed),
            Hint::Queue);
}

}  // namespace
}  // namespace plimsoll::scheduler
