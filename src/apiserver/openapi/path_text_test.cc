#include "apiserver/openapi/path_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
using testing::Contains;
using testing::ElementsAre;
using Flavor = OpenApiFlavor;

struct Written {
  std::unique_ptr<codec::Document> document;
  std::set<std::string_view> names;

  const Value& At(std::string_view path) const { return *document->root().Find(path); }
};

Written Write(const Resource& resource, Flavor flavor) {
  Written out;
  codec::JsonStream text;
  text.Open('{');
  const Resource* const one[] = {&resource};
  WritePaths(one, flavor, text, out.names);
  text.Close('}');
  out.document = *codec::ParseJson(text.text());
  return out;
}

Resource RoleResource() {
  return {.kind = api::FindKind("rbac.authorization.k8s.io", "v1", "Role"), .subresources = {}};
}

std::vector<std::string_view> KeysOf(const Value& object) {
  std::vector<std::string_view> out;
  for (const codec::Member& member : object.members()) out.push_back(member.key);
  return out;
}

constexpr std::string_view kRoot = "/apis/rbac.authorization.k8s.io/v1/";

TEST(PathTextTest, ANamespacedResourceHasThreePaths) {
  const Written roles = Write(RoleResource(), Flavor::V3);
  const std::string root(kRoot);
  EXPECT_THAT(KeysOf(roles.document->root()),
              ElementsAre(root, root + "namespaces/{namespace}/roles",
                          root + "namespaces/{namespace}/roles/{name}", root + "roles"));
  EXPECT_THAT(KeysOf(roles.At(root + "namespaces/{namespace}/roles")),
              ElementsAre("parameters", "get", "post", "delete"));
  EXPECT_THAT(KeysOf(roles.At(root + "namespaces/{namespace}/roles/{name}")),
              ElementsAre("parameters", "get", "put", "patch", "delete"));
  EXPECT_THAT(roles.names, Contains("io.k8s.api.rbac.v1.RoleList"));
  EXPECT_THAT(roles.names, Contains(kDeleteOptionsName));
}

TEST(PathTextTest, OperationsHaveUpstreamsNames) {
  const Written roles = Write(RoleResource(), Flavor::V3);
  const std::string collection = std::string(kRoot) + "namespaces/{namespace}/roles";
  const auto id = [&](const std::string& path, std::string_view method) {
    return std::string(roles.At(path).Find(method)->Find("operationId")->text());
  };
  EXPECT_EQ(id(collection, "get"), "listRbacAuthorizationV1NamespacedRole");
  EXPECT_EQ(id(collection, "delete"), "deleteRbacAuthorizationV1CollectionNamespacedRole");
  EXPECT_EQ(id(collection + "/{name}", "get"), "readRbacAuthorizationV1NamespacedRole");
  EXPECT_EQ(id(collection + "/{name}", "put"), "replaceRbacAuthorizationV1NamespacedRole");
  EXPECT_EQ(id(std::string(kRoot) + "roles", "get"), "listRbacAuthorizationV1RoleForAllNamespaces");
  EXPECT_EQ(codec::WriteJson(*roles.At(collection).Find("get")->Find("tags")),
            R"(["rbacAuthorization_v1"])");
}

TEST(PathTextTest, BodiesStandWhereTheFlavorWantsThem) {
  const std::string path = std::string(kRoot) + "namespaces/{namespace}/roles";
  const Written v3 = Write(RoleResource(), Flavor::V3);
  EXPECT_EQ(codec::WriteJson(*v3.At(path).Find("post")->Find("requestBody")),
            R"({"required":true,"content":{"*/*":{"schema":{"$ref":)"
            R"("#/components/schemas/io.k8s.api.rbac.v1.Role"}}}})");
  const Written v2 = Write(RoleResource(), Flavor::V2);
  const Value& post = *v2.At(path).Find("post");
  EXPECT_EQ(post.Find("requestBody"), nullptr);
  EXPECT_EQ(codec::WriteJson(post.Find("parameters")->items().back()),
            R"({"name":"body","in":"body","required":true,"schema":)"
            R"({"$ref":"#/definitions/io.k8s.api.rbac.v1.Role"}})");
}

TEST(PathTextTest, APatchComesInFourForms) {
  const Written roles = Write(RoleResource(), Flavor::V3);
  const Value& patch =
      *roles.At(std::string(kRoot) + "namespaces/{namespace}/roles/{name}").Find("patch");
  EXPECT_THAT(
      KeysOf(*patch.Find("requestBody")->Find("content")),
      ElementsAre("application/json-patch+json", "application/merge-patch+json",
                  "application/strategic-merge-patch+json", "application/apply-patch+yaml"));
}

TEST(PathTextTest, APartIsOfItsOwnKind) {
  const Resource sets{.kind = api::FindKind("apps", "v1", "ReplicaSet"), .subresources = {"scale"}};
  const Written written = Write(sets, Flavor::V3);
  const Value& get =
      *written.At("/apis/apps/v1/namespaces/{namespace}/replicasets/{name}/scale").Find("get");
  EXPECT_EQ(get.Find("operationId")->text(), "readAppsV1NamespacedReplicaSetScale");
  EXPECT_EQ(codec::WriteJson(*get.Find("x-kubernetes-group-version-kind")),
            R"({"group":"autoscaling","kind":"Scale","version":"v1"})");
  EXPECT_EQ(written.document->root().Find(
                "/apis/apps/v1/namespaces/{namespace}/replicasets/{name}/status"),
            nullptr);
}

TEST(PathTextTest, AReviewCanOnlyBeAsked) {
  const Resource reviews{.kind = api::FindKind("authentication.k8s.io", "v1", "TokenReview")};
  const Written written = Write(reviews, Flavor::V3);
  EXPECT_THAT(KeysOf(written.At("/apis/authentication.k8s.io/v1/tokenreviews")),
              ElementsAre("parameters", "post"));
  EXPECT_EQ(written.document->root().members().size(), 2u);
}

}  // namespace
}  // namespace plimsoll::apiserver
