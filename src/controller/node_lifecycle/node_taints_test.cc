#include "controller/node_lifecycle/node_taints.h"

#include <gtest/gtest.h>

#include "codec/yaml.h"

namespace plimsoll::controller {
namespace {

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

std::shared_ptr<const api::Object> NodeOf(std::string_view spec, std::string_view conditions) {
  auto documents = codec::ParseYaml(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1, resourceVersion: '7'}\nspec: {" +
      std::string(spec) + "}\nstatus: {conditions: [" + std::string(conditions) + "]}\n");
  return api::DecodeObject(std::move(documents->front()), {.apply_defaults = false})->object;
}

std::string Patched(std::string_view taints) {
  return R"({"metadata":{"resourceVersion":"7"},"spec":{"taints":)" + std::string(taints) + "}}";
}

struct TaintCase {
  std::string name;
  std::string spec;
  std::string conditions;
  NoExecuteWish wish = NoExecuteWish::Keep;
  std::string want;  // taints after the patch; empty: no patch
};

class TaintsPatchTest : public testing::TestWithParam<TaintCase> {};

TEST_P(TaintsPatchTest, FollowsTheConditions) {
  const TaintCase& test = GetParam();
  EXPECT_EQ(TaintsPatch(*NodeOf(test.spec, test.conditions), test.wish, kNoon),
            test.want.empty() ? "" : Patched(test.want));
}

std::string Taint(std::string_view key, std::string_view effect) {
  return R"({"key":"node.kubernetes.io/)" + std::string(key) + R"(","effect":")" +
         std::string(effect) + R"(","timeAdded":"2026-03-01T12:00:00Z"})";
}
const std::string kHasNotReady =
    "taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}, {key: "
    "node.kubernetes.io/not-ready, effect: NoExecute, timeAdded: '2026-03-01T11:00:00Z'}]";

INSTANTIATE_TEST_SUITE_P(
    All, TaintsPatchTest,
    testing::ValuesIn<TaintCase>({
        {"Ready", "", "{type: Ready, status: 'True'}", NoExecuteWish::Keep, ""},
        {"NotReady", "", "{type: Ready, status: 'False'}", NoExecuteWish::Keep,
         "[" + Taint("not-ready", "NoSchedule") + "]"},
        {"Unknown", "", "{type: Ready, status: 'Unknown'}", NoExecuteWish::Keep,
         "[" + Taint("unreachable", "NoSchedule") + "]"},
        {"Pressure", "unschedulable: true",
         "{type: MemoryPressure, status: 'True'}, {type: DiskPressure, status: 'True'}, {type: "
         "PIDPressure, status: 'True'}, {type: NetworkUnavailable, status: 'True'}, {type: Other, "
         "status: 'True'}",
         NoExecuteWish::Keep,
         "[" + Taint("memory-pressure", "NoSchedule") + "," + Taint("disk-pressure", "NoSchedule") +
             "," + Taint("pid-pressure", "NoSchedule") + "," +
             Taint("network-unavailable", "NoSchedule") + "," +
             Taint("unschedulable", "NoSchedule") + "]"},
        {"NoPressure", "taints: [{key: node.kubernetes.io/disk-pressure, effect: NoSchedule}]",
         "{type: DiskPressure, status: 'False'}", NoExecuteWish::Keep, "null"},
        {"OthersStay",
         "taints: [{key: a, value: b, effect: NoSchedule}, {key: node.kubernetes.io/disk-pressure, "
         "effect: NoExecute}, {key: node.kubernetes.io/pid-pressure, effect: NoSchedule}]",
         "", NoExecuteWish::Absent,
         R"([{"key":"a","value":"b","effect":"NoSchedule"},)"
         R"({"key":"node.kubernetes.io/disk-pressure","effect":"NoExecute"}])"},
        {"NoExecuteIsKept", kHasNotReady, "{type: Ready, status: 'False'}", NoExecuteWish::Keep,
         ""},
        {"NoExecuteIsThere", kHasNotReady, "{type: Ready, status: 'False'}", NoExecuteWish::Mirror,
         ""},
        {"NoExecuteIsSwapped", kHasNotReady, "{type: Ready, status: 'Unknown'}",
         NoExecuteWish::Mirror,
         "[" + Taint("unreachable", "NoSchedule") + "," + Taint("unreachable", "NoExecute") + "]"},
        {"NoExecuteIsAdded", "taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]",
         "{type: Ready, status: 'False'}", NoExecuteWish::Mirror,
         R"([{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"},)" +
             Taint("not-ready", "NoExecute") + "]"},
        {"NoExecuteIsTakenAway", kHasNotReady, "{type: Ready, status: 'True'}",
         NoExecuteWish::Absent, "null"},
        {"ReadyHasNothingToMirror", "", "{type: Ready, status: 'True'}", NoExecuteWish::Mirror, ""},
    }),
    [](const auto& test) { return test.param.name; });

TEST(NodeTaintsTest, KnowsItsOwnNoExecuteTaints) {
  EXPECT_TRUE(HasNoExecuteTaint(*NodeOf(kHasNotReady, "")));
  EXPECT_FALSE(HasNoExecuteTaint(
      *NodeOf("taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}, {key: a, effect: "
              "NoExecute}]",
              "")));
}

}  // namespace
}  // namespace plimsoll::controller
