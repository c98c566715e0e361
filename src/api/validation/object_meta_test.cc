#include "api/validation/object_meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/labels.h"
#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr FieldPath kMetadata("metadata");

std::vector<std::string> Check(const ObjectMeta& meta, Scope scope = Scope::Namespaced) {
  FieldErrors errors;
  ValidateObjectMeta(meta, scope, NameRule::Dns1123Subdomain, kMetadata, errors);
  return Texts(errors);
}

TEST(ObjectMetaTest, NamesAndNamespaces) {
  EXPECT_THAT(Check({.name = "a.b", .namespace_ = "n"}), IsEmpty());
  EXPECT_THAT(Check({.name = "a"}), ElementsAre("metadata.namespace: Required value"));
  EXPECT_THAT(Check({.namespace_ = "n"}, Scope::Cluster),
              ElementsAre("metadata.name: Required value: name or generateName is required",
                          "metadata.namespace: Forbidden: not allowed on this type"));
}

TEST(ObjectMetaTest, APrefixMayEndInADash) {
  EXPECT_THAT(CheckNamePrefix("web-", NameRule::Dns1123Subdomain), IsEmpty());
  EXPECT_THAT(CheckNamePrefix("-", NameRule::Dns1123Subdomain), testing::SizeIs(1));
  EXPECT_THAT(CheckNamePrefix("a.", NameRule::Dns1123Label), testing::SizeIs(1));
}

TEST(ObjectMetaTest, AnnotationsAreLimitedAsAWhole) {
  const std::string value(256 * 1024 - 1, 'x');
  EXPECT_THAT(Check({.name = "a", .namespace_ = "n", .annotations = {{"K", value}}}), IsEmpty());
  EXPECT_THAT(Check({.name = "a", .namespace_ = "n", .annotations = {{"Kk", value}}}),
              ElementsAre("metadata.annotations: Too long: may not be more than 262144 bytes"));
}

TEST(ObjectMetaTest, OwnersAreWholeAndOneControls) {
  const OwnerReference good{
      .api_version = "apps/v1", .kind = "ReplicaSet", .name = "r", .uid = "u", .controller = true};
  EXPECT_THAT(Check({.name = "a", .namespace_ = "n", .owner_references = {good}}), IsEmpty());
  EXPECT_THAT(
      Check({.name = "a", .namespace_ = "n", .owner_references = {good, good}}),
      ElementsAre("metadata.ownerReferences: Invalid value: "
                  "[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"r\","
                  "\"uid\":\"u\",\"controller\":true},{\"apiVersion\":\"apps/v1\",\"kind\":"
                  "\"ReplicaSet\",\"name\":\"r\",\"uid\":\"u\",\"controller\":true}]: Only one "
                  "reference can have Controller set to true. Found \"true\" in references for "
                  "ReplicaSet/r and ReplicaSet/r"));
  EXPECT_THAT(Check({.name = "a", .namespace_ = "n", .owner_references = {{}}}),
              ElementsAre("metadata.ownerReferences.apiVersion: Invalid value: \"\": version must "
                          "not be empty",
                          "metadata.ownerReferences.kind: Invalid value: \"\": must not be empty",
                          "metadata.ownerReferences.name: Invalid value: \"\": must not be empty",
                          "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty"));
}

TEST(ObjectMetaTest, TwoWaysOfDeletionExcludeEachOther) {
  EXPECT_THAT(
      Check({.name = "a", .namespace_ = "n", .finalizers = {"orphan", "foregroundDeletion"}}),
      ElementsAre("metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: "
                  "finalizer orphan and foregroundDeletion cannot be both set"));
}

TEST(ObjectMetaTest, GenerationNeverGoesBack) {
  FieldErrors errors;
  ValidateObjectMetaUpdate({.name = "a", .resource_version = "1", .generation = 1},
                           {.name = "a", .resource_version = "1", .generation = 2}, kMetadata,
                           errors);
  EXPECT_THAT(Texts(errors),
              ElementsAre("metadata.generation: Invalid value: 1: must not be decremented"));
}

}  // namespace
}  // namespace plimsoll::api
