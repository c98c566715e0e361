#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;

TEST(DecodeMetaTest, ReadsMetadata) {
  const auto object = DecodeJson(R"({"apiVersion":"v1","kind":"Node","metadata":{
    "name":"n","generateName":"g","namespace":"s","uid":"u","resourceVersion":"5","generation":2,
    "creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":"2026-01-02T03:04:06Z",
    "deletionGracePeriodSeconds":30,"labels":{"b":"2","a":"1"},"annotations":{"c":"3"},
    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"o","uid":"ou",
    "controller":true}],"finalizers":["f"]}})");
  const ObjectMeta& meta = object->metadata();
  EXPECT_EQ(meta.name, "n");
  EXPECT_EQ(meta.generate_name, "g");
  EXPECT_EQ(meta.namespace_, "s");
  EXPECT_EQ(meta.uid, "u");
  EXPECT_EQ(meta.resource_version, "5");
  EXPECT_EQ(meta.generation, 2);
  EXPECT_EQ(meta.creation_timestamp, "2026-01-02T03:04:05Z");
  EXPECT_EQ(meta.deletion_timestamp, "2026-01-02T03:04:06Z");
  EXPECT_EQ(meta.deletion_grace_period_seconds, 30);
  EXPECT_EQ(meta.labels, (StringMap{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(meta.annotations.Find("c"), "3");
  ASSERT_EQ(meta.owner_references.size(), 1u);
  EXPECT_EQ(meta.owner_references[0].kind, "ReplicaSet");
  EXPECT_EQ(meta.owner_references[0].controller, true);
  EXPECT_EQ(meta.owner_references[0].block_owner_deletion, std::nullopt);
  EXPECT_THAT(meta.finalizers, ElementsAre("f"));
}

}  // namespace
}  // namespace plimsoll::api
