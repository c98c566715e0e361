#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

TEST(DecodeContainerTest, ReadsContainersAndTheirResources) {
  const auto object = DecodeJson(R"({"apiVersion":"v1","kind":"Pod","spec":{
    "containers":[{"name":"c","image":"i","ports":[{"name":"p","containerPort":80,"hostPort":81,
      "hostIP":"1.2.3.4","protocol":"UDP"}],"resources":{"limits":{"memory":2,"cpu":"1500m"},
      "claims":[{"name":"g","request":"r"}]},"volumeMounts":[{"name":"v","mountPath":"/m"}]}],
    "initContainers":[{"name":"s","restartPolicy":"Always"}]}})");
  const PodSpec& spec = object->As<Pod>()->spec;
  const Container& container = spec.containers[0];
  EXPECT_EQ(container.image, "i");
  EXPECT_EQ(container.ports[0].container_port, 80);
  EXPECT_EQ(container.ports[0].host_port, 81);
  EXPECT_EQ(container.ports[0].host_ip, "1.2.3.4");
  EXPECT_EQ(container.ports[0].protocol, "UDP");
  const ResourceList& limits = container.resources.limits;
  EXPECT_EQ(limits[0].name, "cpu");
  EXPECT_EQ(limits[0].quantity.MilliValue(), 1500);
  EXPECT_EQ(limits[1].text, "2");
  EXPECT_EQ(container.resources.claims[0].request, "r");
  EXPECT_EQ(container.volume_mounts[0].mount_path, "/m");
  EXPECT_EQ(container.source->Find("name")->text(), "c");
  EXPECT_EQ(spec.init_containers[0].restart_policy, "Always");
}

}  // namespace
}  // namespace plimsoll::api
