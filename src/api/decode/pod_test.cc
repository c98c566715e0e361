#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;

TEST(DecodePodTest, ReadsThePodsOwnFields) {
  const auto object = DecodeJson(R"({"apiVersion":"v1","kind":"Pod","spec":{
    "nodeName":"n","priority":7,"preemptionPolicy":"Never","hostNetwork":true,
    "nodeSelector":{"k":"v"},"schedulingGates":[{"name":"g1"},{"name":"g2"}],
    "readinessGates":[{"conditionType":"r"}],"imagePullSecrets":[{"name":"s"},{}],
    "ephemeralContainers":[{"name":"e","image":"d","targetContainerName":"c"}],
    "overhead":{"memory":"1Mi"},"resources":{"requests":{"cpu":"2"}},
    "resourceClaims":[{"name":"c","resourceClaimTemplateName":"t"}],
    "volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"d","readOnly":true}},
      {"name":"w","emptyDir":{}}]},
    "status":{"phase":"Pending","nominatedNodeName":"nn"}})");
  const Pod& pod = *object->As<Pod>();
  const PodSpec& spec = pod.spec;
  EXPECT_EQ(pod.status.phase, "Pending");
  EXPECT_EQ(pod.status.nominated_node_name, "nn");
  EXPECT_EQ(spec.node_name, "n");
  EXPECT_EQ(spec.priority, 7);
  EXPECT_EQ(spec.preemption_policy, "Never");
  EXPECT_TRUE(spec.host_network);
  EXPECT_EQ(spec.node_selector.Find("k"), "v");
  EXPECT_THAT(spec.scheduling_gates, ElementsAre("g1", "g2"));
  EXPECT_THAT(spec.readiness_gates, ElementsAre("r"));
  EXPECT_THAT(spec.image_pull_secrets, ElementsAre("s", ""));
  EXPECT_EQ(spec.ephemeral_containers[0].name, "e");
  EXPECT_EQ(spec.ephemeral_containers[0].image, "d");
  EXPECT_EQ(spec.overhead[0].name, "memory");
  EXPECT_EQ(spec.resources->requests[0].text, "2");
  EXPECT_EQ(spec.resource_claims[0].resource_claim_template_name, "t");
  EXPECT_EQ(spec.volumes[0].kind, VolumeKind::PersistentVolumeClaim);
  EXPECT_EQ(spec.volumes[0].claim_name, "d");
  EXPECT_TRUE(spec.volumes[0].claim_read_only);
  EXPECT_EQ(spec.volumes[1].kind, VolumeKind::Other);
  EXPECT_EQ(spec.volumes[1].claim_name, "");
  EXPECT_NE(spec.volumes[1].source->Find("emptyDir"), nullptr);
  EXPECT_EQ(spec.source, object->tree().Find("spec"));
}

}  // namespace
}  // namespace plimsoll::api
