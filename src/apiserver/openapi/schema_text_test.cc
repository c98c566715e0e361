#include "apiserver/openapi/schema_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using testing::Contains;
using testing::HasSubstr;
using Flavor = OpenApiFlavor;

/// Returns the schema of one type.
std::string SchemaOf(std::string_view name, Flavor flavor, const api::FeatureGates& gates = {}) {
  codec::JsonStream out;
  out.Open('{');
  WriteSchemas({name}, {}, gates, flavor, out);
  out.Close('}');
  auto parsed = codec::ParseJson(out.text());
  EXPECT_TRUE(parsed.has_value()) << out.text();
  return codec::WriteJson(*(*parsed)->root().Find(name));
}

std::string PropertyOf(std::string_view type, std::string_view field, Flavor flavor,
                       const api::FeatureGates& gates = {}) {
  const auto parsed = codec::ParseJson(SchemaOf(type, flavor, gates));
  return codec::WriteJson(*(*parsed)->root().Find("properties")->Find(field));
}

/// Removes the description, which is the first member.
std::string WithoutDescription(const std::string& property) {
  auto parsed = codec::ParseJson(property);
  EXPECT_TRUE(parsed.has_value());
  const auto first = (*parsed)->root().members().begin();
  EXPECT_EQ(first->key, "description");
  const std::string description = codec::WriteJson(first->value);
  return "{" + property.substr(std::string(R"({"description":,)").size() + description.size());
}

TEST(SchemaTextTest, TaintsAreAMapListUnlessTheGateIsOff) {
  api::FeatureGates off;
  off.Set(api::Feature::PlimsollTaintOwnership, false);
  const std::string_view spec = "io.k8s.api.core.v1.NodeSpec";
  for (const Flavor flavor : {Flavor::V2, Flavor::V3}) {
    EXPECT_THAT(PropertyOf(spec, "taints", flavor),
                HasSubstr(R"("x-kubernetes-list-type":"map",)"
                          R"("x-kubernetes-list-map-keys":["key","effect"])"));
    const std::string atomic = PropertyOf(spec, "taints", flavor, off);
    EXPECT_THAT(atomic, HasSubstr(R"("x-kubernetes-list-type":"atomic")"));
    EXPECT_THAT(atomic, testing::Not(HasSubstr("list-map-keys")));
    EXPECT_THAT(SchemaOf("io.k8s.api.core.v1.Node", flavor, off),
                HasSubstr(R"("x-kubernetes-group-version-kind":[{"group":"","kind":"Node")"));
  }
}

struct PropertyCase {
  std::string name;
  std::string type;
  std::string field;
  std::string v2;
  std::string v3;
};

class PropertyTest : public testing::TestWithParam<PropertyCase> {};

TEST_P(PropertyTest, IsDescribedInBothFlavors) {
  const PropertyCase& test = GetParam();
  const std::string type = "io.k8s.api." + test.type;
  EXPECT_EQ(WithoutDescription(PropertyOf(type, test.field, Flavor::V2)), test.v2);
  EXPECT_EQ(WithoutDescription(PropertyOf(type, test.field, Flavor::V3)), test.v3);
}

INSTANTIATE_TEST_SUITE_P(
    All, PropertyTest,
    testing::ValuesIn<PropertyCase>({
        {"Text", "core.v1.EnvVar", "value", R"({"type":"string"})", R"({"type":"string"})"},
        {"Default", "core.v1.EnvVar", "name", R"({"type":"string","default":""})",
         R"({"type":"string","default":""})"},
        {"Number", "core.v1.KeyToPath", "mode", R"({"type":"integer","format":"int32"})",
         R"({"type":"integer","format":"int32"})"},
        {"Bytes", "core.v1.Secret", "data",
         R"({"type":"object","additionalProperties":{"type":"string","format":"byte"}})",
         R"({"type":"object","additionalProperties":{"type":"string","format":"byte"}})"},
        {"Reference", "core.v1.EnvVar", "valueFrom",
         R"({"$ref":"#/definitions/io.k8s.api.core.v1.EnvVarSource"})",
         R"({"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.EnvVarSource"}]})"},
        {"MergedList", "core.v1.EphemeralContainer", "env",
         R"({"type":"array","items":{"$ref":"#/definitions/io.k8s.api.core.v1.EnvVar"},)"
         R"("x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],)"
         R"("x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"})",
         R"({"type":"array","items":{"$ref":"#/components/schemas/io.k8s.api.core.v1.EnvVar"},)"
         R"("x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],)"
         R"("x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"})"},
        {"Quantities", "core.v1.VolumeResourceRequirements", "limits",
         R"({"type":"object","additionalProperties":{"$ref":)"
         R"("#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity"}})",
         R"({"type":"object","additionalProperties":{"$ref":)"
         R"("#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}})"},
        {"ListsInAMap", "authentication.v1.UserInfo", "extra",
         R"({"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}})",
         R"({"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}})"},
        {"Enum", "apps.v1.DeploymentStrategy", "type",
         R"({"type":"string","enum":["Recreate","RollingUpdate"]})",
         R"({"type":"string","enum":["Recreate","RollingUpdate"]})"},
        {"AtomicMap", "core.v1.ReplicationControllerSpec", "selector",
         R"({"type":"object","additionalProperties":{"type":"string"},)"
         R"("x-kubernetes-map-type":"atomic"})",
         R"({"type":"object","additionalProperties":{"type":"string"},)"
         R"("x-kubernetes-map-type":"atomic"})"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(SchemaTextTest, StrategiesAreJoined) {
  EXPECT_THAT(PropertyOf("io.k8s.api.core.v1.PodSpec", "volumes", Flavor::V3),
              HasSubstr(R"("x-kubernetes-patch-strategy":"merge,retainKeys")"));
}

TEST(SchemaTextTest, ExplainsOurField) {
  EXPECT_THAT(PropertyOf("io.k8s.api.core.v1.Toleration", "expression", Flavor::V3),
              HasSubstr(R"("description":"CEL)"));
}

TEST(SchemaTextTest, AKindSaysWhichItIs) {
  const std::string pod = SchemaOf("io.k8s.api.core.v1.Pod", Flavor::V3);
  EXPECT_THAT(pod, HasSubstr(R"("x-kubernetes-group-version-kind":[{"group":"","kind":"Pod",)"
                             R"("version":"v1"}])"));
}

TEST(SchemaTextTest, CommonFieldsHaveTheirOwnDescriptions) {
  EXPECT_THAT(PropertyOf("io.k8s.api.core.v1.Pod", "kind", Flavor::V3),
              HasSubstr(R"("description":"Kind of the object, such as Pod.")"));
  EXPECT_THAT(PropertyOf("io.k8s.api.core.v1.Pod", "metadata", Flavor::V3),
              HasSubstr(R"("description":"Metadata of the object)"));
  EXPECT_THAT(PropertyOf("io.k8s.api.core.v1.PodList", "metadata", Flavor::V3),
              HasSubstr(R"("description":"Metadata of the list)"));
  // A field of the same name in a type that is no object.
  EXPECT_THAT(PropertyOf("io.k8s.api.core.v1.PodCondition", "status", Flavor::V3),
              HasSubstr(R"("description":"State of the condition)"));
}

TEST(SchemaTextTest, EveryTypeAndFieldHasADescription) {
  const auto describes = [](const codec::Value& schema) {
    const codec::Value* text = schema.Find("description");
    return text != nullptr && !text->text().empty();
  };
  for (const api::TypeDesc& type : api::AllTypes()) {
    const auto parsed = codec::ParseJson(SchemaOf(type.name, Flavor::V3));
    const codec::Value& schema = (*parsed)->root();
    EXPECT_TRUE(describes(schema)) << type.name;
    if (type.fields.empty()) continue;
    for (const auto& one : schema.Find("properties")->members()) {
      EXPECT_TRUE(describes(one.value)) << type.name << " " << one.key;
    }
  }
}

TEST(SchemaTextTest, DeleteOptionsAreOfEveryServedVersion) {
  const Resource deployments{.kind = api::FindKind("apps", "v1", "Deployment")};
  codec::JsonStream out;
  out.Open('{');
  WriteSchemas({kDeleteOptionsName}, std::span(&deployments, 1), {}, Flavor::V3, out);
  out.Close('}');
  EXPECT_THAT(out.text(), HasSubstr(R"({"group":"apps","kind":"DeleteOptions","version":"v1"})"));
}

TEST(SchemaTextTest, ValuesHaveSchemasOfTheirOwn) {
  EXPECT_THAT(SchemaOf(kIntOrStringName, Flavor::V2), HasSubstr(R"("format":"int-or-string")"));
  EXPECT_THAT(SchemaOf(kQuantityName, Flavor::V3),
              HasSubstr(R"("oneOf":[{"type":"string"},{"type":"number"}])"));
}

TEST(SchemaTextTest, ReferencesAreFollowedToTheirEnds) {
  const auto names = WithReferences({"io.k8s.api.core.v1.Pod"});
  EXPECT_THAT(names, Contains("io.k8s.api.core.v1.Toleration"));
  EXPECT_THAT(names, Contains(kFieldsV1Name));
  EXPECT_THAT(names, Contains(kQuantityName));
  EXPECT_THAT(names, testing::Not(Contains("io.k8s.api.core.v1.Node")));
}

}  // namespace
}  // namespace plimsoll::apiserver
