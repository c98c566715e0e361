#include "apiserver/openapi/openapi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "api/schema/find_path.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
using testing::HasSubstr;
using V2Format = OpenApi::V2Format;

/// Shared by all tests, because it takes a while to make.
const OpenApi& All() {
  static const ResourceTable table;
  static const OpenApi openapi(table.all(), "v1.37.0", {});
  return openapi;
}

std::unique_ptr<codec::Document> Parse(const OpenApiDocument& document) {
  auto parsed = codec::ParseJson(document.bytes);
  EXPECT_TRUE(parsed.has_value());
  return *std::move(parsed);
}

TEST(OpenApiTest, TheIndexLeadsToEveryVersion) {
  const auto index = Parse(All().Index());
  const Value& paths = *index->root().Find("paths");
  EXPECT_NE(paths.Find("api/v1"), nullptr);
  EXPECT_NE(paths.Find("apis/rbac.authorization.k8s.io/v1"), nullptr);
  for (const codec::Member& path : paths.members()) {
    const OpenApiDocument* document = All().V3(path.key);
    ASSERT_NE(document, nullptr) << path.key;
    const std::string url = All().V3Url(path.key);
    EXPECT_EQ(path.value.Find("serverRelativeURL")->text(), url);
    EXPECT_EQ(url, "/openapi/v3/" + std::string(path.key) + "?hash=" + document->hash);
  }
  EXPECT_EQ(All().V3("api/v2"), nullptr);
  EXPECT_EQ(All().V3Url("api/v2"), "");
}

TEST(OpenApiTest, HashesFollowTheContent) {
  const ResourceTable table;
  const OpenApi same(table.all(), "v1.37.0", {});
  const OpenApi other(table.all(), "v1.38.0", {});
  EXPECT_EQ(same.V3("api/v1")->hash, All().V3("api/v1")->hash);
  EXPECT_NE(other.V3("api/v1")->hash, All().V3("api/v1")->hash);
  EXPECT_EQ(same.Index().etag, '"' + same.Index().hash + '"');
}

TEST(OpenApiTest, KubectlFindsThatAPatchCanBeTried) {
  const auto document = Parse(*All().V3("apis/apps/v1"));
  const Value& path = *document->root().Find("paths")->Find(
      "/apis/apps/v1/namespaces/{namespace}/deployments/{name}");
  const Value& patch = *path.Find("patch");
  EXPECT_EQ(codec::WriteJson(*patch.Find("x-kubernetes-group-version-kind")),
            R"({"group":"apps","kind":"Deployment","version":"v1"})");
  std::vector<std::string_view> names;
  for (const Value& parameter : patch.Find("parameters")->items()) {
    EXPECT_EQ(parameter.Find("in")->text(), "query");
    names.push_back(parameter.Find("name")->text());
  }
  EXPECT_THAT(names, testing::ElementsAre("dryRun", "fieldManager", "fieldValidation", "force"));
}

/// Collects all `$ref` texts in a tree.
void CollectReferences(const Value& value, std::set<std::string>& out) {
  for (const Value& item : value.items()) CollectReferences(item, out);
  for (const codec::Member& member : value.members()) {
    if (member.key == "$ref" && member.value.is_string()) out.emplace(member.value.text());
    CollectReferences(member.value, out);
  }
}

void ExpectResolved(const Value& root, std::string_view prefix, const Value& schemas) {
  std::set<std::string> references;
  CollectReferences(root, references);
  EXPECT_FALSE(references.empty());
  for (const std::string& reference : references) {
    ASSERT_TRUE(reference.starts_with(prefix)) << reference;
    EXPECT_NE(schemas.Find(std::string_view(reference).substr(prefix.size())), nullptr)
        << reference;
  }
}

TEST(OpenApiTest, NoReferenceLeadsNowhere) {
  const auto index = Parse(All().Index());
  for (const codec::Member& path : index->root().Find("paths")->members()) {
    const auto document = Parse(*All().V3(path.key));
    ExpectResolved(document->root(), "#/components/schemas/",
                   *document->root().Find("components")->Find("schemas"));
  }
  const auto v2 = Parse(All().V2(V2Format::Json));
  ExpectResolved(v2->root(), "#/definitions/", *v2->root().Find("definitions"));
}

TEST(OpenApiTest, OnlyWhatIsServedHasAPath) {
  const auto document = Parse(*All().V3("api/v1"));
  const Value& paths = *document->root().Find("paths");
  const std::string pod = "/api/v1/namespaces/{namespace}/pods/{name}";
  EXPECT_NE(paths.Find(pod), nullptr);
  EXPECT_NE(paths.Find(pod + "/eviction"), nullptr);
  EXPECT_NE(paths.Find("/api/v1/pods"), nullptr);
  EXPECT_NE(paths.Find("/api/v1/nodes/{name}"), nullptr);
  EXPECT_EQ(paths.Find(pod + "/exec"), nullptr);
  EXPECT_EQ(paths.Find("/api/v1/namespaces/{namespace}/bindings/{name}"), nullptr);
}

TEST(OpenApiTest, OldClientsAskForProtobuf) {
  EXPECT_EQ(OpenApi::V2FormatOf("application/com.github.proto-openapi.spec.v2@v1.0+protobuf"),
            V2Format::Protobuf);
  EXPECT_EQ(OpenApi::V2FormatOf("application/json"), V2Format::Json);
  EXPECT_EQ(OpenApi::V2FormatOf("*/*"), V2Format::Json);
  EXPECT_EQ(OpenApi::V2FormatOf(""), V2Format::Json);
  EXPECT_EQ(OpenApi::V2FormatOf("text/html"), std::nullopt);
  EXPECT_EQ(OpenApi::ContentType(V2Format::Json), "application/json");
  EXPECT_THAT(std::string(OpenApi::ContentType(V2Format::Protobuf)), HasSubstr("protobuf"));
}

}  // namespace
}  // namespace plimsoll::apiserver
