#include "api/defaults/defaults.h"

#include <gtest/gtest.h>

#include "api/defaults/image_name.h"
#include "api/object.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

struct DefaultsCase {
  std::string name;
  std::string json;
  std::string path;  // what of the result is compared; empty: all
  std::string want;  // JSON; empty: nothing is there
};

class DefaultsTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultsTest, AreAnApiServers) {
  const DefaultsCase& test = GetParam();
  auto parsed = codec::ParseJson(test.json);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  const auto decoded = DecodeObject(document, {.field_validation = FieldValidation::Strict});
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  const KindDesc& kind = decoded->object->kind();
  const codec::Value* got = FindPath(document->root(), test.path);
  const auto want = codec::ParseJson(test.want);
  ASSERT_TRUE(want.has_value());
  EXPECT_EQ(*got, (*want)->root()) << codec::WriteJson(*got);

  const std::string once = codec::WriteJson(document->root());
  ApplyDefaults(*document, document->root(), kind.type);
  EXPECT_EQ(codec::WriteJson(document->root()), once);
}

std::string PodWith(const std::string& spec) {
  return R"({"apiVersion":"v1","kind":"Pod","spec":)" + spec + "}";
}
std::string PodWithContainer(const std::string& container) {
  return PodWith(R"({"containers":[)" + container + "]}");
}
std::string AppWith(const std::string& kind, const std::string& spec) {
  return R"({"apiVersion":"apps/v1","kind":")" + kind + R"(","spec":)" + spec + "}";
}
std::string JobWith(const std::string& spec) {
  return R"({"apiVersion":"batch/v1","kind":"Job","spec":)" + spec + "}";
}

const std::string kEmptyTemplate =
    R"({"spec":{"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":)"
    R"("default-scheduler","terminationGracePeriodSeconds":30,"securityContext":{}}})";

INSTANTIATE_TEST_SUITE_P(
    Pods, DefaultsTest,
    testing::ValuesIn<DefaultsCase>({
        {"Spec", PodWith(R"({"schedulerName":"","serviceAccount":"x"})"), "spec",
         R"({"schedulerName":"default-scheduler","dnsPolicy":"ClusterFirst","restartPolicy":)"
         R"("Always","terminationGracePeriodSeconds":30,"securityContext":{},"serviceAccount":"x",)"
         R"("serviceAccountName":"x","enableServiceLinks":true})"},
        {"WrittenValuesStay",
         PodWith(R"({"schedulerName":"s","dnsPolicy":"None","restartPolicy":"Never",)"
                 R"("terminationGracePeriodSeconds":0,"securityContext":{"runAsUser":1},)"
                 R"("enableServiceLinks":false})"),
         "spec",
         R"({"schedulerName":"s","dnsPolicy":"None","restartPolicy":"Never",)"
         R"("terminationGracePeriodSeconds":0,"securityContext":{"runAsUser":1},)"
         R"("enableServiceLinks":false})"},
        {"Container", PodWithContainer(R"({"image":"a:1","ports":[{"containerPort":80}]})"),
         "spec.containers[0]",
         R"({"image":"a:1","ports":[{"containerPort":80,"protocol":"TCP"}],"imagePullPolicy":)"
         R"("IfNotPresent","terminationMessagePath":"/dev/termination-log",)"
         R"("terminationMessagePolicy":"File"})"},
        {"HostPorts",
         PodWith(R"({"hostNetwork":true,"containers":[{"ports":[{"containerPort":80},)"
                 R"({"containerPort":81,"hostPort":82}]}]})"),
         "spec.containers[0].ports",
         R"([{"containerPort":80,"protocol":"TCP","hostPort":80},)"
         R"({"containerPort":81,"hostPort":82,"protocol":"TCP"}])"},
        {"RequestsFromLimits",
         PodWithContainer(R"({"resources":{"limits":{"cpu":"1","memory":"2Gi"},)"
                          R"("requests":{"cpu":"500m"}}})"),
         "spec.containers[0].resources.requests", R"({"cpu":"500m","memory":"2Gi"})"},
        {"ResourcesAreRoundedUp",
         PodWithContainer(
             R"({"resources":{"requests":{"cpu":"0.0001","memory":"1.5Gi","x.y/z":"1500u"}}})"),
         "spec.containers[0].resources.requests", R"({"cpu":"1m","memory":"1.5Gi","x.y/z":"2m"})"},
        {"Probe",
         PodWithContainer(R"({"livenessProbe":{"periodSeconds":0,"httpGet":{"port":80}}})"),
         "spec.containers[0].livenessProbe",
         R"({"periodSeconds":10,"timeoutSeconds":1,"successThreshold":1,"failureThreshold":3,)"
         R"("httpGet":{"port":80,"path":"/","scheme":"HTTP"}})"},
        {"FieldRef",
         PodWithContainer(
             R"({"env":[{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]})"),
         "spec.containers[0].env[0].valueFrom.fieldRef",
         R"({"fieldPath":"metadata.name","apiVersion":"v1"})"},
        {"Volumes",
         PodWith(R"({"volumes":[{"name":"a"},{"name":"b","secret":{}},{"name":"c",)"
                 R"("hostPath":{"path":"/"}},{"name":"d","projected":{"sources":[)"
                 R"({"serviceAccountToken":{"path":"t"}}]}}]})"),
         "spec.volumes",
         R"([{"name":"a","emptyDir":{}},{"name":"b","secret":{"defaultMode":420}},{"name":"c",)"
         R"("hostPath":{"path":"/","type":""}},{"name":"d","projected":{"defaultMode":420,)"
         R"("sources":[{"serviceAccountToken":{"path":"t","expirationSeconds":3600}}]}}])"},
        {"TolerationsStay", PodWith(R"({"tolerations":[{"key":"a"}]})"), "spec.tolerations",
         R"([{"key":"a"}])"},
        {"PodLevelRequests",
         PodWith(
             R"({"resources":{"limits":{"cpu":"4","memory":"8Gi"}},"containers":[)"
             R"({"resources":{"requests":{"cpu":"1"}}},{"resources":{"requests":{"cpu":"500m"}}}],)"
             R"("initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}},)"
             R"({"resources":{"requests":{"cpu":"2"}}}]})"),
         "spec.resources.requests", R"({"cpu":"3","memory":"8Gi"})"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Others, DefaultsTest,
    testing::ValuesIn<DefaultsCase>({
        {"PersistentVolume", R"({"apiVersion":"v1","kind":"PersistentVolume"})", "",
         R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{"persistentVolumeReclaimPolicy":)"
         R"("Retain","volumeMode":"Filesystem"},"status":{"phase":"Pending"}})"},
        {"PersistentVolumeClaim", R"({"apiVersion":"v1","kind":"PersistentVolumeClaim"})", "",
         R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","spec":{"volumeMode":"Filesystem"},)"
         R"("status":{"phase":"Pending"}})"},
        {"NodeAllocatable",
         R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":"4"}}})", "status",
         R"({"capacity":{"cpu":"4"},"allocatable":{"cpu":"4"}})"},
        {"Deployment", AppWith("Deployment", "{}"), "spec",
         R"({"replicas":1,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":)"
         R"("25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600,)"
         R"("template":)" +
             kEmptyTemplate + "}"},
        {"Recreate", AppWith("Deployment", R"({"strategy":{"type":"Recreate"}})"), "spec.strategy",
         R"({"type":"Recreate"})"},
        {"ReplicaSet", AppWith("ReplicaSet", "{}"), "spec",
         R"({"replicas":1,"template":)" + kEmptyTemplate + "}"},
        {"StatefulSet", AppWith("StatefulSet", R"({"volumeClaimTemplates":[{}]})"), "spec",
         R"({"replicas":1,"revisionHistoryLimit":10,"podManagementPolicy":"OrderedReady",)"
         R"("updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}},)"
         R"("persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Retain"},)"
         R"("volumeClaimTemplates":[{"spec":{"volumeMode":"Filesystem"},"status":{"phase":)"
         R"("Pending"}}],"template":)" +
             kEmptyTemplate + "}"},
        {"DaemonSet", AppWith("DaemonSet", "{}"), "spec",
         R"({"revisionHistoryLimit":10,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":)"
         R"({"maxUnavailable":1,"maxSurge":0}},"template":)" +
             kEmptyTemplate + "}"},
        {"Job", JobWith("{}"), "spec",
         R"({"completionMode":"NonIndexed","suspend":false,"manualSelector":false,"completions":1,)"
         R"("parallelism":1,"backoffLimit":6,"podReplacementPolicy":"TerminatingOrFailed",)"
         R"("template":)" +
             kEmptyTemplate + "}"},
        {"JobWithParallelism",
         JobWith(R"({"parallelism":2,"backoffLimitPerIndex":1,"template":)" + kEmptyTemplate +
                 R"(,"podFailurePolicy":{"rules":[]}})"),
         "spec",
         R"({"completionMode":"NonIndexed","suspend":false,"manualSelector":false,"parallelism":2,)"
         R"("backoffLimitPerIndex":1,"backoffLimit":2147483647,"podReplacementPolicy":"Failed",)"
         R"("podFailurePolicy":{"rules":[]},"template":)" +
             kEmptyTemplate + "}"},
        {"JobLabels",
         R"({"apiVersion":"batch/v1","kind":"Job","spec":{"template":{"metadata":{"labels":)"
         R"({"a":"b"}}}}})",
         "metadata", R"({"labels":{"a":"b"}})"},
        {"DeviceRequests",
         R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","spec":{"devices":{)"
         R"("requests":[{"name":"r","exactly":{"deviceClassName":"c","tolerations":[{"key":"k"}]}},)"
         R"({"name":"s","exactly":{"allocationMode":"All"}}]}}})",
         "spec.devices.requests",
         R"([{"name":"r","exactly":{"deviceClassName":"c","tolerations":[{"key":"k","operator":)"
         R"("Equal"}],"allocationMode":"ExactCount","count":1}},)"
         R"({"name":"s","exactly":{"allocationMode":"All"}}])"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ImageNameTest, LatestIsSaidOrUnsaid) {
  const std::string digest = "@sha256:" + std::string(64, 'a');
  const std::vector<std::pair<std::string, bool>> cases{
      {"nginx", true},
      {"nginx:latest", true},
      {"nginx:1.2", false},
      {"library/nginx", true},
      {"localhost:5000/a/b", true},
      {"localhost:5000/a/b:v1", false},
      {"registry.example.com/a_b/c__d/e--f", true},
      {"[::1]:5000/a:latest", true},
      {"nginx" + digest, false},
      {"nginx:latest" + digest, true},
      {"", false},
      {"Nginx", false},
      {"example.com/Nginx", false},
      {"nginx:", false},
      {"nginx:-x", false},
      {"nginx:latest@sha256:abc", false},
      {"a..b", false},
      {"a___b", false},
      {"a/", false},
      {"-host.com/a", false},
      {std::string(64, 'a'), false},
      {std::string(63, 'a'), true},
      {std::string(237, 'a'), true},
      {std::string(238, 'a'), false},
  };
  for (const auto& [image, want] : cases) {
    EXPECT_EQ(defaults::IsLatestImage(image), want) << image;
  }
}

}  // namespace
}  // namespace plimsoll::api
