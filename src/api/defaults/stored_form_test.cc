#include "api/defaults/stored_form.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "api/object.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

struct FormCase {
  std::string name;
  std::string json;
  std::string path;
  std::string want;
};

class StoredFormTest : public testing::TestWithParam<FormCase> {};

TEST_P(StoredFormTest, IsThatOfGoStructs) {
  auto parsed = codec::ParseJson(GetParam().json);
  const auto want = codec::ParseJson(GetParam().want);
  ASSERT_TRUE(parsed && want);
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  const auto decoded = DecodeObject(
      document, {.field_validation = FieldValidation::Strict, .apply_defaults = false});
  ASSERT_TRUE(decoded) << decoded.error().message;
  const TypeDesc& type = *decoded->object->kind().type;
  PutInStoredForm(*document, document->root(), type);
  const codec::Value* const got = FindPath(document->root(), GetParam().path);
  ASSERT_NE(got, nullptr) << codec::WriteJson(document->root());
  EXPECT_EQ(*got, (*want)->root()) << codec::WriteJson(*got);

  const std::string once = codec::WriteJson(document->root());
  PutInStoredForm(*document, document->root(), type);
  EXPECT_EQ(codec::WriteJson(document->root()), once);
}

std::string PodWith(std::string container) {
  return R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[)" + container + "]}}";
}

INSTANTIATE_TEST_SUITE_P(
    All, StoredFormTest,
    testing::ValuesIn<FormCase>({
        {"StructsHeldByValueAreThere", PodWith(R"({"name":"a"})"), "spec.containers",
         R"([{"name":"a","resources":{}}])"},
        {"StructsThatGoPointsAtAreNot",
         R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"selector":{}}})", "spec",
         R"({"selector":{},"strategy":{},"template":{"metadata":{},"spec":{}}})"},
        {"FieldsThatAreNeverLeftOutAreThere", R"({"apiVersion":"v1","kind":"Node","status":{}})",
         "status.daemonEndpoints", R"({"kubeletEndpoint":{"Port":0}})"},
        {"EmptyOnesAreDropped",
         PodWith(
             R"({"name":"a","image":"","args":[],"stdin":false,"workingDir":"","resources":)"
             R"({"limits":{}},"volumeMounts":[{"name":"v","mountPath":"/v","readOnly":false}]})"),
         "spec.containers",
         R"([{"name":"a","resources":{},"volumeMounts":[{"name":"v","mountPath":"/v"}]}])"},
        {"EmptyOnesThatGoPointsAtAreKept",
         R"({"apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"replicas":0,)"
         R"("selector":{"matchLabels":{}}}})",
         "spec.selector", "{}"},
        {"ZerosThatGoPointsAtAreKept",
         R"({"apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"replicas":0}})", "spec.replicas",
         "0"},
        {"QuantitiesAreCanonical",
         PodWith(R"({"name":"a","resources":{"limits":{"cpu":"0.5","memory":"1.5Gi"}}})"),
         "spec.containers",
         R"([{"name":"a","resources":{"limits":{"cpu":"500m","memory":"1536Mi"}}}])"},
        {"CanonicalEnoughQuantitiesStay",
         PodWith(R"({"name":"a","resources":{"limits":{"cpu":"1000m"}}})"), "spec.containers",
         R"([{"name":"a","resources":{"limits":{"cpu":"1"}}}])"},
        {"ADefaultOfZeroMayBeLeftOut",
         R"({"apiVersion":"v1","kind":"ReplicationController","spec":{"minReadySeconds":0}})",
         "spec", "{}"},
        {"LabelsWithoutEntriesAreNone",
         R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{}},"data":{}})",
         "metadata", R"({"name":"a"})"},
        {"FieldsThatProtobufDoesNotKnowStay",
         R"({"apiVersion":"v1","kind":"Pod","spec":{"tolerations":[{"expression":""}]}})",
         "spec.tolerations", R"([{"expression":""}])"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
