#include "api/defaults/defaults.h"

#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"
#include "api/defaults/hooks.h"

namespace plimsoll::api {
namespace {

class DefaultsTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultsTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultsTest,
    testing::ValuesIn<DefaultsCase>({
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
        {"TolerationsStay", PodWith(R"({"tolerations":[{"key":"a"}]})"), "spec.tolerations",
         R"([{"key":"a"}])"},
        {"PersistentVolume", R"({"apiVersion":"v1","kind":"PersistentVolume"})", "",
         R"({"apiVersion":"v1","kind":"PersistentVolume","spec":{"persistentVolumeReclaimPolicy":)"
         R"("Retain","volumeMode":"Filesystem"},"status":{"phase":"Pending"}})"},
        {"PersistentVolumeClaim", R"({"apiVersion":"v1","kind":"PersistentVolumeClaim"})", "",
         R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","spec":{"volumeMode":"Filesystem"},)"
         R"("status":{"phase":"Pending"}})"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DefaultHooksTest, AcceptAnEmptyObject) {
  for (const TypeDesc& type : AllTypes()) {
    if (type.default_hook == nullptr) continue;
    codec::Document document;
    document.root() = document.NewObject();
    ApplyDefaults(document, document.root(), type);
    EXPECT_TRUE(document.root().is_object()) << type.name;
  }
}

}  // namespace
}  // namespace plimsoll::api
