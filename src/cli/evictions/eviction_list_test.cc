#include "cli/evictions/eviction_list.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;
using controller::Decode;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

ObjectPtr PodWith(const std::string& name, const std::string& tolerations,
                  const std::string& metadata = "", const std::string& status = "") {
  return Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: d, name: " + name +
                ", uid: " + name + metadata + "}, spec: {nodeName: n1, tolerations: [" +
                tolerations + "]}, status: {" + status + "}}");
}

EvictionObjects Objects() {
  EvictionObjects objects;
  objects.nodes = {
      Decode("{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: risk, "
             "value: \"8\", effect: NoExecute, timeAdded: \"2026-03-01T11:59:50Z\"}]}}")};
  const std::string going = ", deletionTimestamp: \"2026-03-01T12:00:20Z\"";
  objects.pods = {
      PodWith("due", ""),
      PodWith("held", ""),
      PodWith("waits",
              "{key: risk, operator: Lt, value: \"5\", effect: NoExecute, tolerationSeconds: 30}"),
      PodWith("stays", "{key: risk, operator: Exists}"),
      PodWith("deleted", "", going),
      PodWith("runs", "", going,
              "conditions: [{type: DisruptionTarget, status: \"True\", message: \"by a taint\"}]")};
  const std::string event = "{apiVersion: v1, kind: Event, metadata: {namespace: d, name: ";
  objects.delays = {Decode(event + "e1}, involvedObject: {uid: held}, message: by the budget web, "
                                   "lastTimestamp: \"2026-03-01T11:59:55Z\"}"),
                    Decode(event + "e0}, involvedObject: {uid: held}, message: by the rate, "
                                   "lastTimestamp: \"2026-03-01T11:59:51Z\"}")};
  return objects;
}

TEST(ListEvictionsTest, SortsByStateAndTime) {
  const auto rows = ListEvictions(Objects(), {}, {}, kNoon);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].pod->metadata().name, "held");
  EXPECT_EQ(rows[0].state, EvictionState::HeldBack);
  EXPECT_EQ(rows[0].why, "by the budget web") << "the last event counts";
  EXPECT_EQ(rows[1].pod->metadata().name, "due");
  EXPECT_EQ(rows[1].state, EvictionState::Due);
  EXPECT_EQ(rows[2].pod->metadata().name, "waits");
  EXPECT_EQ(rows[2].state, EvictionState::Waiting);
  EXPECT_EQ(rows[2].due, kNoon + 20s);
  EXPECT_EQ(rows[3].pod->metadata().name, "runs");
  EXPECT_EQ(rows[3].state, EvictionState::Running);
  EXPECT_EQ(rows[3].why, "by a taint");
}

TEST(ListPoliciesTest, ReadsTheStatus) {
  const auto rows = ListPolicies(
      {Decode("{apiVersion: plimsoll.io/v1alpha1, kind: EvictionPolicy, metadata: {name: spot}, "
              "spec: {paused: true, resumedAt: \"2026-03-01T11:00:00Z\"}, status: {waiting: 4, "
              "heldBack: 3, evicted: 7, heldBackBy: [{reason: Budget, pods: 1}, {reason: Rate, "
              "pods: 2}], breakers: [{scope: \"\", trippedAt: \"2026-03-01T11:30:00Z\"}, {scope: "
              "zone-b, trippedAt: \"2026-03-01T10:30:00Z\"}]}}")});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].is_paused);
  EXPECT_EQ(rows[0].held_by, "Budget 1, Rate 2");
  EXPECT_EQ(rows[0].waiting, 4);
  EXPECT_EQ(rows[0].evicted, 7);
  EXPECT_EQ(rows[0].tripped, std::vector<std::string>{"cluster"}) << "zone-b was resumed";
}

}  // namespace
}  // namespace plimsoll::cli
