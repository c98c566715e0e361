#include "api/create.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

struct CreateCase {
  std::string name;
  std::string given;
  std::string want;
};

class PrepareForCreateTest : public testing::TestWithParam<CreateCase> {};

TEST_P(PrepareForCreateTest, Settles) {
  const auto document = codec::ParseJson(GetParam().given);
  ASSERT_TRUE(document.has_value());
  PrepareForCreate(**document, {.tree = &(*document)->root()}, "shop", FeatureGates(), "abcde");
  EXPECT_EQ(codec::WriteJson((*document)->root()), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, PrepareForCreateTest,
    testing::ValuesIn<CreateCase>({
        {"NamespaceOfTheRequest", R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})",
         R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"}})"},
        {"NamespaceOfItsOwn",
         R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"x"}})",
         R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"x"}})"},
        {"NoMetadata", R"({"apiVersion":"apps/v1","kind":"Deployment"})",
         R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop"}})"},
        {"ClusterWide",
         R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","namespace":"x"}})",
         R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}})"},
        {"GeneratedName", R"({"apiVersion":"v1","kind":"Node","metadata":{"generateName":"n-"}})",
         R"({"apiVersion":"v1","kind":"Node","metadata":{"generateName":"n-","name":"n-abcde"}})"},
        {"NewNamespace", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}})",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},"spec":{"finalizers":)"
         R"(["kubernetes"]}})"},
        {"NamespaceWithFinalizers",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{},"spec":{"finalizers":["a"]}})",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{},"spec":{"finalizers":["a",)"
         R"("kubernetes"]}})"},
        {"NamespaceWithoutSense",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{},"spec":{"finalizers":1}})",
         R"({"apiVersion":"v1","kind":"Namespace","metadata":{},"spec":{"finalizers":1}})"},
        {"UnknownKind", R"({"apiVersion":"v1","kind":"Pood"})",
         R"({"apiVersion":"v1","kind":"Pood"})"},
        {"NoObject", "[]", "[]"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
