#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "scheduler/dra/devices_for_test.h"
#include "scheduler/framework/framework.h"
#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kPod =
    "{containers: [], resourceClaims: [{name: a, "
    "resourceClaimName: c}]}";
constexpr std::string_view kCannot = "UnschedulableAndUnresolvable: cannot allocate all claims";
constexpr std::string_view kElsewhere =
    "UnschedulableAndUnresolvable: resourceclaim not available on the node";

class DynamicResourcesTest : public testing::Test {
 protected:
  DynamicResourcesTest() {
    for (const std::string_view name : {"n1", "n2"}) stage_.AddNode(name);
    Tell(ClassFromYaml());
    Tell(SliceFromYaml("n1", "[{name: a}]"));
  }

  ClusterState& cluster() { return stage_.cluster(); }
  void Tell(const ObjectPtr& object) { Put(cluster(), object); }
  std::string PreFilter(std::string_view spec = kPod) {
    return Stage::TextOf(stage_.PreFilter(spec).verdict);
  }
  bool MayHelp(const ObjectPtr& before, const ObjectPtr& after) {
    return stage_.MayHelp(kPod, EventResource::ResourceClaim, kUpdateOther, before, after);
  }

  Stage stage_{"DynamicResources"};
};

TEST_F(DynamicResourcesTest, APodWithoutClaimsIsNoneOfItsBusiness) {
  EXPECT_EQ(PreFilter("{containers: []}"), "Skip");
  EXPECT_TRUE(
      stage_.plugin_as<PreEnqueuePlugin>().PreEnqueue(*PodFromYaml("p", "{containers: []}")).ok());
  EXPECT_THAT(stage_.Score("{containers: []}"), ElementsAre(Pair("n1", 0), Pair("n2", 0)));
}

TEST_F(DynamicResourcesTest, APodWaitsForItsClaims) {
  const ObjectPtr pod = PodFromYaml("asked", kPod);
  EXPECT_EQ(Stage::TextOf(stage_.plugin_as<PreEnqueuePlugin>().PreEnqueue(*pod)),
            "UnschedulableAndUnresolvable: could not find ResourceClaim \"default/c\"");
  EXPECT_EQ(PreFilter(),
            "UnschedulableAndUnresolvable: could not find ResourceClaim \"default/c\"");
  Tell(ClaimFromYaml("c"));
  EXPECT_TRUE(stage_.plugin_as<PreEnqueuePlugin>().PreEnqueue(*pod).ok());
  EXPECT_EQ(PreFilter(), "");
}

TEST_F(DynamicResourcesTest, ClassesMustExist) {
  Tell(Named("ResourceClaim", "default", "c",
             "spec: {devices: {requests: [{name: r, firstAvailable: [{name: s, deviceClassName: "
             "gpu}, {name: t, deviceClassName: nope}]}]}}",
             {}, "resource.k8s.io/v1"));
  EXPECT_EQ(PreFilter(),
            "UnschedulableAndUnresolvable: request r/t: device class nope does not exist");
}

TEST_F(DynamicResourcesTest, AClaimHasSoManyUsersAndNoMore) {
  std::vector<std::string> users;
  for (int i = 0; i < 256; ++i) users.push_back("u" + std::to_string(i));
  Tell(ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a"), users)));
  EXPECT_EQ(PreFilter(), "UnschedulableAndUnresolvable: resourceclaim in use");
  users.back() = "asked";
  Tell(ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a"), users)));
  EXPECT_EQ(PreFilter(), "");
}

TEST_F(DynamicResourcesTest, TakesNodesWithFreeDevices) {
  Tell(ClaimFromYaml("c"));
  EXPECT_THAT(stage_.Judge(kPod), ElementsAre(Pair("n1", ""), Pair("n2", kCannot)));
  Tell(ClaimFromYaml("other", StatusYaml(AllocationYaml("n1", "a"))));
  EXPECT_THAT(stage_.Judge(kPod), ElementsAre(Pair("n1", kCannot), Pair("n2", kCannot)));
}

TEST_F(DynamicResourcesTest, NamesTheTaintsOfDevices) {
  Tell(ClaimFromYaml("c", {}, "tolerations: [{key: health, operator: Gt, value: '24'}]"));
  Tell(SliceFromYaml("n1", "[" + TaintedYaml("a", "8") + "]"));
  Tell(SliceFromYaml("n2", "[" + TaintedYaml("a", "30") + "]"));
  EXPECT_THAT(stage_.Judge(kPod),
              ElementsAre(Pair("n1", std::string(kCannot) +
                                         ": device(s) had untolerated taint {health: 8}"),
                          Pair("n2", "")));
  PluginArgs args;
  args.names_taints = false;
  Stage hidden("DynamicResources", args);
  hidden.AddNode("n1");
  Put(hidden.cluster(), ClassFromYaml());
  Put(hidden.cluster(), ClaimFromYaml("c"));
  Put(hidden.cluster(), SliceFromYaml("n1", "[" + TaintedYaml("a", "8") + "]"));
  EXPECT_THAT(hidden.Judge(kPod), ElementsAre(Pair("n1", kCannot)));
}

TEST_F(DynamicResourcesTest, KeepsPodsWhereTheirDevicesAre) {
  Tell(ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a"))));
  EXPECT_THAT(stage_.Judge(kPod), ElementsAre(Pair("n1", ""), Pair("n2", kElsewhere)));
  Tell(SliceFromYaml("n1", "[" + TaintedYaml("a", "8") + "]"));
  const std::string tainted =
      std::string(kElsewhere) + ": device(s) had untolerated taint {health: 8}";
  EXPECT_THAT(stage_.Judge(kPod), ElementsAre(Pair("n1", tainted), Pair("n2", tainted)));
}

TEST_F(DynamicResourcesTest, AnErrorFailsTheAttempt) {
  Tell(ClaimFromYaml("c", {}, "selectors: [{cel: {expression: \"device.attributes['d'].x\"}}]"));
  const PreFilterOutcome outcome = stage_.PreFilter(kPod);
  Bitmap nodes = cluster().nodes();
  const FilterPlugin& filter = *stage_.plugin().filter;
  const Verdict verdict = filter.Filter(outcome.state.get(), nodes);
  EXPECT_EQ(verdict.code, Code::Error);
  EXPECT_EQ(verdict, filter.Judge(outcome.state.get(), cluster().view(*cluster().FindNode("n1"))));
}

TEST_F(DynamicResourcesTest, PrefersTheFirstOfAlternatives) {
  Tell(SliceFromYaml("n1", "[{name: a, attributes: {size: {int: 1}}}]"));
  Tell(SliceFromYaml("n2", "[{name: a, attributes: {size: {int: 2}}}]"));
  const auto wants = [](int size) {
    return "selectors: [{cel: {expression: \"device.attributes['d'].size == " +
           std::to_string(size) +
           "\"}}], deviceClassName: gpu, allocationMode: ExactCount, "
           "count: 1";
  };
  Tell(Named("ResourceClaim", "default", "c",
             "spec: {devices: {requests: [{name: r, firstAvailable: [{name: big, " + wants(2) +
                 "}, {name: small, " + wants(1) + "}]}]}}",
             {}, "resource.k8s.io/v1"));
  const PreFilterOutcome outcome = stage_.PreFilter(kPod);
  ASSERT_TRUE(outcome.verdict.ok());
  const ObjectPtr pod = PodFromYaml("asked", kPod);
  const auto pod_class = cluster().ClassOf(pod);
  const PreScoreOutcome score =
      stage_.plugin().BeginScore(*pod_class, outcome.state.get(), cluster().nodes());
  const auto at = [&](std::string_view node) {
    return stage_.plugin().score->ScoreOf(score.state.get(),
                                          cluster().view(*cluster().FindNode(node)));
  };
  EXPECT_EQ(at("n2"), 8);
  EXPECT_EQ(at("n1"), 7);
}

TEST_F(DynamicResourcesTest, ClaimsThatChangeMayHelp) {
  const ObjectPtr own = ClaimFromYaml("c");
  const ObjectPtr other = ClaimFromYaml("o");
  const ObjectPtr taken = ClaimFromYaml("o", StatusYaml(AllocationYaml("n1", "a")));
  EXPECT_FALSE(MayHelp(taken, other)) << "its own claim is not there";
  Tell(own);
  EXPECT_TRUE(MayHelp(taken, other));
  EXPECT_TRUE(MayHelp(taken, nullptr));
  EXPECT_FALSE(MayHelp(other, taken));
  EXPECT_FALSE(MayHelp(nullptr, other));
  EXPECT_FALSE(MayHelp(other, nullptr));
  EXPECT_TRUE(MayHelp(nullptr, own));
  EXPECT_FALSE(MayHelp(own, ClaimFromYaml("c", {}, {}, "finalizers: [f]")));
  EXPECT_TRUE(MayHelp(own, ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a")))));
  EXPECT_TRUE(stage_.MayHelp(kPod, EventResource::ResourceSlice, kAdd, nullptr, nullptr));
  const ObjectPtr pod = PodFromYaml("waiting", kPod);
  EXPECT_TRUE(stage_.MayHelp(kPod, EventResource::TargetPod, kUpdatePodGeneratedClaim, pod, pod));
}

/// Random clusters: each node has devices of a few kinds; some are tainted, some are in use.
TEST_F(DynamicResourcesTest, SetsOfNodesAreJudgedAsSingleOnes) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    Stage stage("DynamicResources");
    Put(stage.cluster(), ClassFromYaml());
    const auto below = [&](std::int64_t end) { return random.Between(0, end - 1); };
    for (int n = 0; n < 8; ++n) {
      const std::string node = "n" + std::to_string(n);
      stage.AddNode(node);
      std::string devices;
      for (std::int64_t d = below(4); d > 0; --d) {
        const std::string name = "d" + std::to_string(d);
        devices +=
            below(3) == 0 ? TaintedYaml(name, std::to_string(below(10))) : "{name: " + name + "}";
        devices += ", ";
        if (below(4) == 0) {
          Put(stage.cluster(),
              ClaimFromYaml("taken-" + node + name, StatusYaml(AllocationYaml(node, name))));
        }
      }
      Put(stage.cluster(), SliceFromYaml(node, "[" + devices + "]"));
    }
    const std::string taken = StatusYaml(AllocationYaml("n" + std::to_string(below(8)), "d1"));
    Put(stage.cluster(), ClaimFromYaml("c", below(3) == 0 ? taken : "",
                                       "tolerations: [{key: health, operator: Gt, value: '5'}]"));
    Put(stage.cluster(), ClaimFromYaml("e"));
    EXPECT_THAT(stage.Judge(kPod), testing::SizeIs(8)) << seed;
    EXPECT_THAT(stage.Judge("{containers: [], resourceClaims: [{name: a, resourceClaimName: c}, "
                            "{name: b, resourceClaimName: e}]}"),
                testing::SizeIs(8))
        << seed;
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
