#include "client/declared_fields.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

constexpr const char* kOpenApi = R"({"components":{"schemas":{
  "Taint":{"type":"object","properties":{"key":{"type":"string"},"effect":{"type":"string"}}},
  "Device":{"type":"object","properties":{
    "name":{"type":"string"},
    "attributes":{"type":"object","additionalProperties":{"type":"object",
      "properties":{"int":{"type":"integer"}}}},
    "parameters":{"type":"object"},
    "taints":{"type":"array","items":{"allOf":[{"$ref":"#/components/schemas/Taint"}]}}}},
  "Slice":{"type":"object",
    "x-kubernetes-group-version-kind":[
      {"group":"resource.k8s.io","version":"v1","kind":"ResourceSlice"}],
    "properties":{
      "apiVersion":{"type":"string"},
      "spec":{"type":"object","properties":{
        "devices":{"type":"array","items":{"$ref":"#/components/schemas/Device"}}}}}}
}}})";

const api::KindDesc& Slices() { return Kind("resource.k8s.io", "v1", "ResourceSlice"); }

TEST(DeclaredFieldsTest, PrunesFieldsThatTheServerDoesNotDeclare) {
  const auto declared = DeclaredFields::Read(kOpenApi, Slices());
  ASSERT_TRUE(declared) << declared.error().Text();
  auto object = codec::ParseJson(R"({"apiVersion":"x","spec":{"taints":[{"key":"k"}],"devices":[
      {"name":"a","parameters":{"free":1},"attributes":{"x":{"int":1,"list":[]}}},
      {"name":"b","taints":[{"key":"k","effect":"None","description":"d"}]}]}})");
  ASSERT_TRUE(object);
  const std::vector<std::string> want{"spec.taints", "spec.devices[0].attributes.x.list",
                                      "spec.devices[1].taints[0].description"};
  EXPECT_EQ(declared->UndeclaredIn((*object)->root()), want);
  EXPECT_EQ(declared->Prune(**object), want);
  EXPECT_EQ(
      codec::WriteJson((*object)->root()),
      R"({"apiVersion":"x","spec":{"devices":[{"name":"a","parameters":{"free":1},)"
      R"("attributes":{"x":{"int":1}}},{"name":"b","taints":[{"key":"k","effect":"None"}]}]}})");
  EXPECT_TRUE(declared->UndeclaredIn((*object)->root()).empty());
}

TEST(DeclaredFieldsTest, AKindThatIsNotDescribedIsNotFound) {
  const auto declared =
      DeclaredFields::Read(kOpenApi, Kind("resource.k8s.io", "v1", "DeviceTaintRule"));
  ASSERT_FALSE(declared);
  EXPECT_EQ(declared.error().reason, Reason::NotFound);
  EXPECT_FALSE(DeclaredFields::Read("no JSON", Slices()));
}

TEST(DeclaredFieldsTest, AReferenceToItselfDeclaresAnything) {
  std::string openapi = kOpenApi;
  const std::string_view taint = R"("Taint":{)";
  openapi.insert(openapi.find(taint) + taint.size(), R"("$ref":"#/components/schemas/Taint",)");
  const auto declared = DeclaredFields::Read(openapi, Slices());
  ASSERT_TRUE(declared) << declared.error().Text();
  const auto object =
      codec::ParseJson(R"({"apiVersion":"x","spec":{"devices":[{"taints":[{"other":"k"}]}]}})");
  EXPECT_TRUE(declared->UndeclaredIn((*object)->root()).empty());
}

}  // namespace
}  // namespace plimsoll::client
