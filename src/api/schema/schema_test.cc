#include "api/schema/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "api/schema/fields.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;

TEST(SchemaTest, EveryFieldIsFoundByItsNameAndNothingElseIs) {
  for (const TypeDesc& type : AllTypes()) {
    EXPECT_EQ(&Describe(type.id), &type);
    EXPECT_EQ(FindType(type.name), &type);
    for (codec::FieldId field = 0; field < type.fields.size(); ++field) {
      const std::string name(type.fields[field].name);
      EXPECT_EQ(FindField(type, name), field) << type.name;
      EXPECT_EQ(FindField(type, name + "x"), codec::kUnknownField);
      EXPECT_EQ(FindField(type, "x" + name), codec::kUnknownField);
    }
    EXPECT_EQ(FindField(type, ""), codec::kUnknownField);
  }
  EXPECT_EQ(FindType("io.k8s.api.core.v1.Nothing"), nullptr);
}

TEST(SchemaTest, EveryKindIsFoundAndIsAnObject) {
  for (const KindDesc& kind : AllKinds()) {
    EXPECT_EQ(FindKind(kind.group, kind.version, kind.kind), &kind);
    for (const std::string_view field : {"apiVersion", "kind"}) {
      EXPECT_NE(FindField(*kind.type, field), codec::kUnknownField) << kind.kind << " " << field;
    }
    if (kind.is_list()) {
      EXPECT_NE(FindField(*kind.type, "items"), codec::kUnknownField) << kind.kind;
      EXPECT_TRUE(kind.plural.empty());
    }
    // Kinds such as Eviction and Scale are written to a sub-resource of another kind.
    EXPECT_EQ(kind.plural.empty(), kind.verbs.empty()) << kind.kind;
  }
  EXPECT_EQ(FindKind("", "v1", "Nothing"), nullptr);
  EXPECT_EQ(FindKind("apps", "v1", "Pod"), nullptr);
}

TEST(SchemaTest, WhatCanBeListedHasMetadataAListKindAndColumns) {
  for (const KindDesc& kind : AllKinds()) {
    if (std::ranges::find(kind.verbs, "list") == kind.verbs.end()) continue;
    const KindDesc* list = FindKind(kind.group, kind.version, kind.list_kind);
    ASSERT_NE(list, nullptr) << kind.kind;
    EXPECT_EQ(list->item_kind, kind.kind);
    EXPECT_FALSE(kind.columns.empty()) << kind.kind;
    const codec::FieldId metadata = FindField(*kind.type, "metadata");
    ASSERT_NE(metadata, codec::kUnknownField) << kind.kind;
    EXPECT_EQ(kind.type->fields[metadata].shape->type->id, fields::meta_v1::ObjectMeta::kTypeId);
  }
}

/// Returns `group/version/plural` of every resource.
std::set<std::string> Resources() {
  std::set<std::string> out;
  for (const KindDesc& kind : AllKinds()) {
    if (kind.plural.empty()) continue;
    out.insert(std::string(kind.group) + "/" + std::string(kind.version) + "/" +
               std::string(kind.plural));
  }
  return out;
}

TEST(SchemaTest, TheResourcesThatAServerServesAreDescribed) {
  EXPECT_THAT(Resources(), IsSupersetOf({"/v1/bindings",
                                         "/v1/configmaps",
                                         "/v1/endpoints",
                                         "/v1/events",
                                         "/v1/namespaces",
                                         "/v1/replicationcontrollers",
                                         "/v1/secrets",
                                         "/v1/serviceaccounts",
                                         "/v1/services",
                                         "apps/v1/controllerrevisions",
                                         "policy/v1/poddisruptionbudgets",
                                         "scheduling.k8s.io/v1/priorityclasses",
                                         "storage.k8s.io/v1/storageclasses",
                                         "storage.k8s.io/v1/csinodes",
                                         "storage.k8s.io/v1/csidrivers",
                                         "storage.k8s.io/v1/csistoragecapacities",
                                         "storage.k8s.io/v1/volumeattachments",
                                         "coordination.k8s.io/v1/leases",
                                         "events.k8s.io/v1/events",
                                         "node.k8s.io/v1/runtimeclasses",
                                         "rbac.authorization.k8s.io/v1/clusterrolebindings"}));
}

TEST(SchemaTest, ListsOfObjectsAreMergedByFieldsThatTheyHave) {
  for (const TypeDesc& type : AllTypes()) {
    for (const FieldDesc& field : type.fields) {
      std::set<std::string_view> keys(field.list_map_keys.begin(), field.list_map_keys.end());
      if (!field.merge_key.empty()) keys.insert(field.merge_key);
      if (keys.empty()) continue;
      ASSERT_EQ(field.shape->kind, ShapeKind::List) << type.name << "." << field.name;
      ASSERT_EQ(field.shape->element->kind, ShapeKind::Struct) << type.name << "." << field.name;
      for (const std::string_view key : keys) {
        EXPECT_NE(FindField(*field.shape->element->type, key), codec::kUnknownField)
            << type.name << "." << field.name << " by " << key;
      }
    }
  }
}

TEST(SchemaTest, DefaultsAreJson) {
  for (const TypeDesc& type : AllTypes()) {
    for (const FieldDesc& field : type.fields) {
      for (const std::string_view json : {field.default_json, field.set_json}) {
        if (json.empty()) continue;
        EXPECT_TRUE(codec::ParseJson(std::string(json)).has_value()) << type.name << field.name;
      }
    }
  }
}

TEST(SchemaTest, APodIsDescribedInFull) {
  const KindDesc* pod = FindKind("", "v1", "Pod");
  ASSERT_NE(pod, nullptr);
  EXPECT_EQ(pod->plural, "pods");
  EXPECT_EQ(pod->singular, "pod");
  EXPECT_TRUE(pod->is_namespaced);
  EXPECT_THAT(pod->short_names, ElementsAre("po"));
  EXPECT_THAT(pod->categories, ElementsAre("all"));
  EXPECT_EQ(pod->columns[0].format, "name");
  EXPECT_EQ(pod->columns.back().priority, 1);
  EXPECT_EQ(pod->subresources.back().name, "status");

  const TypeDesc& spec = Describe(fields::core_v1::PodSpec::kTypeId);
  EXPECT_EQ(spec.name, "io.k8s.api.core.v1.PodSpec");
  const FieldDesc& containers = spec.fields[fields::core_v1::PodSpec::kContainers];
  EXPECT_TRUE(containers.required);
  EXPECT_EQ(containers.list_type, ListType::Map);
  EXPECT_EQ(containers.merge_key, "name");
  EXPECT_THAT(containers.patch_strategies, ElementsAre("merge"));
  EXPECT_EQ(containers.shape->go_name, "[]v1.Container");
  const FieldDesc& volumes = spec.fields[fields::core_v1::PodSpec::kVolumes];
  EXPECT_THAT(volumes.patch_strategies, ElementsAre("merge", "retainKeys"));
  const FieldDesc& spread = spec.fields[fields::core_v1::PodSpec::kTopologySpreadConstraints];
  EXPECT_THAT(spread.list_map_keys, ElementsAre("topologyKey", "whenUnsatisfiable"));
  EXPECT_EQ(Describe(fields::core_v1::NodeSelector::kTypeId).map_type, MapType::Atomic);
}

}  // namespace
}  // namespace plimsoll::api
