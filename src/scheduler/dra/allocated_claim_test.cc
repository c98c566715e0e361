#include "scheduler/dra/allocated_claim.h"

#include <gtest/gtest.h>

#include "scheduler/dra/devices_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kConditions =
    ", bindingConditions: [Attached, Warm], bindingFailureConditions: [Broken]";

std::string DeviceStatus(std::string_view conditions) {
  return ", devices: [{driver: d, pool: n1, device: a, conditions: " + std::string(conditions) +
         "}]}";
}

class AllocatedClaimTest : public testing::Test {
 protected:
  AllocatedClaimTest() {
    for (const std::string_view name : {"n1", "n2"}) {
      cluster_.UpsertNode(*NodeFromYaml(name)->As<api::Node>());
    }
    cluster_.devices().SetNow(*ParseTime("2026-01-01T00:10:00Z"));
  }

  /// Returns the nodes on which pod `p` can use the claim. Checks that both forms agree.
  std::string Nodes(const ObjectPtr& claim) {
    const auto made = AllocatedClaim::Make(cluster_, claim, "uid-default-p");
    if (!made) return made.error().message;
    Bitmap kept = cluster_.nodes();
    made->FilterNodes(cluster_, kept);
    std::string names;
    cluster_.nodes().ForEach([&](std::size_t i) {
      const auto slot = static_cast<NodeSlot>(i);
      EXPECT_EQ(made->IsAvailable(cluster_, slot), kept.Test(i));
      if (kept.Test(i)) names.append(cluster_.node_name(slot)).append(" ");
    });
    taint_ = made->taint();
    return names;
  }
  /// Returns a claim whose device has binding conditions, with the conditions that its driver set.
  static ObjectPtr Conditional(std::string_view conditions, std::string_view since = {}) {
    std::string allocation = AllocationYaml("n1", "a", kConditions);
    if (!since.empty()) {
      allocation.pop_back();
      allocation.append(", allocationTimestamp: '").append(since).append("'}");
    }
    std::string status = StatusYaml(allocation);
    status.pop_back();
    return ClaimFromYaml("c", status + DeviceStatus(conditions));
  }

  ClusterState cluster_{match::Rules{}};
  std::string taint_;
};

TEST_F(AllocatedClaimTest, IsUsedWhereItsSelectorSays) {
  EXPECT_EQ(Nodes(ClaimFromYaml("c", StatusYaml(AllocationYaml("n2", "a")))), "n2 ");
  EXPECT_EQ(Nodes(ClaimFromYaml("c", "{allocation: {devices: {results: []}}}")), "n1 n2 ");
}

TEST_F(AllocatedClaimTest, ASelectorThatCannotBeReadIsAnError) {
  const ObjectPtr claim =
      ClaimFromYaml("c",
                    "{allocation: {nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, "
                    "operator: Near, values: [x]}]}]}}}");
  EXPECT_NE(Nodes(claim).find("Near"), std::string::npos);
}

TEST_F(AllocatedClaimTest, ATaintKeepsFurtherPodsAway) {
  Put(cluster_, SliceFromYaml("n1", "[" + TaintedYaml("a", "8") + "]"));
  const auto claim = [](std::string_view more, const std::vector<std::string>& pods = {}) {
    return ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a", more), pods));
  };
  EXPECT_EQ(Nodes(claim({})), "");
  EXPECT_EQ(taint_, "health: 8");
  EXPECT_EQ(Nodes(claim({}, {"p"})), "n1 ") << "it uses it already";
  EXPECT_EQ(Nodes(claim({}, {"q"})), "");
  EXPECT_EQ(Nodes(claim(", tolerations: [{key: health, operator: Gt, value: '1'}]")), "n1 ");
  EXPECT_EQ(taint_, "");
  EXPECT_EQ(Nodes(claim(", tolerations: [{key: health, operator: Gt, value: '24'}]")), "");
}

TEST_F(AllocatedClaimTest, ATolerationWhoseTimeIsOverKeepsFurtherPodsAway) {
  Put(cluster_, SliceFromYaml("n1",
                              "[{name: a, taints: [{key: health, effect: NoExecute, timeAdded: "
                              "'2026-01-01T00:10:00Z'}]}]"));
  const ObjectPtr claim = ClaimFromYaml(
      "c", StatusYaml(AllocationYaml("n1", "a",
                                     ", tolerations: [{key: health, operator: Exists, effect: "
                                     "NoExecute, tolerationSeconds: 6}]"),
                      {"q"}));
  cluster_.devices().SetNow(*ParseTime("2026-01-01T00:10:05Z"));
  EXPECT_EQ(Nodes(claim), "n1 ");
  cluster_.devices().SetNow(*ParseTime("2026-01-01T00:10:06Z"));
  EXPECT_EQ(Nodes(claim), "");
  EXPECT_EQ(taint_, "health: ");
}

TEST_F(AllocatedClaimTest, ARuleTaintsAsWell) {
  Put(cluster_, SliceFromYaml("n1", "[{name: a}]"));
  const ObjectPtr claim = ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a")));
  EXPECT_EQ(Nodes(claim), "n1 ");
  Put(cluster_, RuleFromYaml("none", "{device: a}", "{key: k, effect: None}"));
  EXPECT_EQ(Nodes(claim), "n1 ");
  Put(cluster_, RuleFromYaml("rule", "{device: a}", "{key: k, effect: NoExecute}"));
  EXPECT_EQ(Nodes(claim), "");
  EXPECT_EQ(taint_, "k: ");
}

TEST_F(AllocatedClaimTest, DriversSayWhetherDevicesAreReady) {
  std::string error;
  EXPECT_EQ(ReadinessOf(*ClaimFromYaml("c")), DeviceReadiness::Waiting);
  EXPECT_EQ(ReadinessOf(*ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a")))),
            DeviceReadiness::Ready);
  EXPECT_EQ(ReadinessOf(*Conditional("[]")), DeviceReadiness::Waiting);
  EXPECT_EQ(ReadinessOf(*Conditional("[{type: Attached, status: 'True'}]")),
            DeviceReadiness::Waiting);
  EXPECT_EQ(
      ReadinessOf(*Conditional("[{type: Attached, status: 'True'}, {type: Warm, status: 'True'}]")),
      DeviceReadiness::Ready);
  EXPECT_EQ(ReadinessOf(*Conditional("[{type: Attached, status: 'True'}, {type: Broken, status: "
                                     "'True', reason: Smoke, message: 'it \"burns\"'}]"),
                        &error),
            DeviceReadiness::Failed);
  EXPECT_EQ(error, R"(claim c binding failed: reason=Smoke, message="it \"burns\"")");
}

TEST_F(AllocatedClaimTest, DevicesThatFailOrTakeTooLongAreOfNoUse) {
  EXPECT_EQ(Nodes(Conditional("[{type: Broken, status: 'True'}]")), "");
  EXPECT_EQ(Nodes(Conditional("[]")), "n1 ");
  EXPECT_EQ(Nodes(Conditional("[]", "2026-01-01T00:00:00Z")), "n1 ");
  EXPECT_EQ(Nodes(Conditional("[]", "2025-12-31T23:59:59Z")), "");
}

TEST_F(AllocatedClaimTest, IsFreeForThePodThatAloneUsesIt) {
  const auto is_free = [&](const std::vector<std::string>& pods) {
    const ObjectPtr claim = ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a"), pods));
    return AllocatedClaim::Make(cluster_, claim, "uid-default-p")->IsFreeFor("uid-default-p");
  };
  EXPECT_TRUE(is_free({}));
  EXPECT_TRUE(is_free({"p"}));
  EXPECT_FALSE(is_free({"q"}));
  EXPECT_FALSE(is_free({"p", "q"}));
}

}  // namespace
}  // namespace plimsoll::scheduler
