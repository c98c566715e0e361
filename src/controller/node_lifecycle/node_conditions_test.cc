#include "controller/node_lifecycle/node_conditions.h"

#include <gtest/gtest.h>

#include "codec/yaml.h"

namespace plimsoll::controller {
namespace {

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

std::shared_ptr<const api::Object> FromYaml(std::string_view kind, std::string_view rest) {
  auto documents = codec::ParseYaml(
      "apiVersion: " + std::string(kind == "Lease" ? "coordination.k8s.io/v1" : "v1") +
      "\nkind: " + std::string(kind) +
      "\nmetadata: {name: n1, resourceVersion: '7', creationTimestamp: '2026-03-01T11:00:00Z'}\n" +
      std::string(rest) + "\n");
  const auto decoded = api::DecodeObject(std::move(documents->front()), {.apply_defaults = false});
  EXPECT_TRUE(decoded.has_value()) << decoded.error().Text();
  return decoded->object;
}

TEST(NodeConditionsTest, ReadsReady) {
  EXPECT_EQ(ReadinessOf(*FromYaml("Node", "")), Readiness::Missing);
  const auto with = [](std::string_view status) {
    return ReadinessOf(*FromYaml("Node",
                                 "status: {conditions: [{type: DiskPressure, status: "
                                 "'True'}, {type: Ready, status: '" +
                                     std::string(status) + "'}]}"));
  };
  EXPECT_EQ(with("True"), Readiness::True);
  EXPECT_EQ(with("False"), Readiness::False);
  EXPECT_EQ(with("Unknown"), Readiness::Unknown);
}

TEST(NodeConditionsTest, ANodeSpeaksThroughReady) {
  EXPECT_EQ(HeartbeatOf(*FromYaml("Node", "")), kNoon - std::chrono::hours(1));
  EXPECT_EQ(HeartbeatOf(*FromYaml("Node",
                                  "status: {conditions: [{type: Ready, status: 'True', "
                                  "lastHeartbeatTime: '2026-03-01T12:00:00Z'}]}")),
            kNoon);
}

TEST(NodeConditionsTest, ASilentNodeIsUnknown) {
  EXPECT_EQ(LapsePatch(*FromYaml("Node",
                                 "status: {conditions: [{type: Ready, status: 'False'}, "
                                 "{type: MemoryPressure, status: 'Unknown'}]}"),
                       kNoon),
            R"({"metadata":{"resourceVersion":"7"},"status":{"conditions":[)"
            R"({"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown",)"
            R"("message":"Kubelet stopped posting node status.",)"
            R"("lastTransitionTime":"2026-03-01T12:00:00Z"},)"
            R"({"type":"DiskPressure","status":"Unknown","reason":"NodeStatusNeverUpdated",)"
            R"("message":"Kubelet never posted node status.",)"
            R"("lastHeartbeatTime":"2026-03-01T11:00:00Z",)"
            R"("lastTransitionTime":"2026-03-01T12:00:00Z"},)"
            R"({"type":"PIDPressure","status":"Unknown","reason":"NodeStatusNeverUpdated",)"
            R"("message":"Kubelet never posted node status.",)"
            R"("lastHeartbeatTime":"2026-03-01T11:00:00Z",)"
            R"("lastTransitionTime":"2026-03-01T12:00:00Z"}]}})");
  EXPECT_EQ(
      LapsePatch(*FromYaml("Node", "status: {conditions: [{type: Ready, status: 'Unknown'}]}"),
                 kNoon),
      "");
}

TEST(NodeConditionsTest, APodThatWasReadyIsNot) {
  EXPECT_EQ(NotReadyPatch(*FromYaml("Pod", "status: {conditions: [{type: Ready, status: 'True'}]}"),
                          kNoon),
            R"({"metadata":{"resourceVersion":"7"},"status":{"conditions":[{"type":"Ready",)"
            R"("status":"False","lastTransitionTime":"2026-03-01T12:00:00Z"}]}})");
  EXPECT_EQ(NotReadyPatch(
                *FromYaml("Pod", "status: {conditions: [{type: Ready, status: 'False'}]}"), kNoon),
            "");
  EXPECT_EQ(NotReadyPatch(*FromYaml("Pod", ""), kNoon), "");
}

TEST(NodeConditionsTest, ReadsWhenALeaseWasRenewed) {
  EXPECT_EQ(RenewTimeOf(*FromYaml("Lease", "spec: {renewTime: '2026-03-01T12:00:00.250000Z'}")),
            kNoon + std::chrono::milliseconds(250));
  EXPECT_EQ(RenewTimeOf(*FromYaml("Lease", "")), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::controller
