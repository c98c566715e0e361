#include "apiserver/discovery/discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using testing::HasSubstr;
using testing::Not;
using Form = Discovery::Form;

Resource MakeResource(std::string_view group, std::string_view version, std::string_view kind,
                      std::vector<std::string_view> subresources, std::string prefix) {
  Resource out;
  out.kind = api::FindKind(group, version, kind);
  out.stored = out.kind;
  out.subresources = std::move(subresources);
  out.prefix = std::move(prefix);
  return out;
}

std::vector<Resource> SomeResources() {
  return {MakeResource("apps", "v1", "ReplicaSet", {"scale"}, "/registry/replicasets/"),
          MakeResource("", "v1", "Pod", {"binding", "eviction", "status"}, "/registry/pods/"),
          MakeResource("", "v1", "Binding", {}, ""),
          MakeResource("policy", "v1", "PodDisruptionBudget", {}, "/registry/pdbs/")};
}

class DiscoveryTest : public testing::Test {
 protected:
  const std::vector<Resource> resources_ = SomeResources();
  const Discovery discovery_{resources_, "127.0.0.1:6443"};
};

TEST_F(DiscoveryTest, TheCoreHasVersions) {
  EXPECT_EQ(discovery_.Core(Form::Plain).json,
            R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":)"
            R"([{"clientCIDR":"0.0.0.0/0","serverAddress":"127.0.0.1:6443"}]})");
}

TEST_F(DiscoveryTest, GroupsHaveAPreferredVersion) {
  constexpr std::string_view kApps =
      R"("name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],)"
      R"("preferredVersion":{"groupVersion":"apps/v1","version":"v1"}})";
  EXPECT_EQ(discovery_.Group("apps")->json,
            R"({"kind":"APIGroup","apiVersion":"v1",)" + std::string(kApps));
  EXPECT_THAT(discovery_.Groups(Form::Plain).json,
              testing::StartsWith(R"({"kind":"APIGroupList","apiVersion":"v1","groups":[{)" +
                                  std::string(kApps) + R"(,{"name":"policy")"));
  EXPECT_EQ(discovery_.Group(""), nullptr);
  EXPECT_EQ(discovery_.Group("batch"), nullptr);
}

TEST_F(DiscoveryTest, ResourcesAreListedWithTheirServedParts) {
  EXPECT_EQ(
      discovery_.Version("", "v1")->json,
      R"({"kind":"APIResourceList","groupVersion":"v1","resources":[)"
      R"({"name":"bindings","singularName":"binding","namespaced":true,"kind":"Binding",)"
      R"("verbs":["create"]},)"
      R"({"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["create",)"
      R"("delete","deletecollection","get","list","patch","update","watch"],"shortNames":["po"],)"
      R"("categories":["all"],"storageVersionHash":"xPOwRZ+Yhw8="},)"
      R"({"name":"pods/binding","singularName":"","namespaced":true,"kind":"Binding","verbs":)"
      R"(["create"]},)"
      R"({"name":"pods/eviction","singularName":"","namespaced":true,"group":"policy",)"
      R"("version":"v1","kind":"Eviction","verbs":["create"]},)"
      R"({"name":"pods/status","singularName":"","namespaced":true,"kind":"Pod","verbs":["get",)"
      R"("patch","update"]}]})");
  EXPECT_THAT(discovery_.Version("apps", "v1")->json,
              testing::StartsWith(
                  R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1",)"));
  EXPECT_THAT(discovery_.Version("apps", "v1")->json, Not(HasSubstr("replicasets/status")));
  EXPECT_EQ(discovery_.Version("apps", "v2"), nullptr);
  EXPECT_EQ(discovery_.Version("", ""), nullptr);
}

TEST_F(DiscoveryTest, TheAggregateHoldsEverything) {
  EXPECT_EQ(
      discovery_.Core(Form::AggregatedV2).json,
      R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},)"
      R"("items":[{"metadata":{},"versions":[{"version":"v1","resources":[)"
      R"({"resource":"bindings","responseKind":{"group":"","version":"v1","kind":"Binding"},)"
      R"("scope":"Namespaced","singularResource":"binding","verbs":["create"]},)"
      R"({"resource":"pods","responseKind":{"group":"","version":"v1","kind":"Pod"},)"
      R"("scope":"Namespaced","singularResource":"pod","verbs":["create","delete",)"
      R"("deletecollection","get","list","patch","update","watch"],"shortNames":["po"],)"
      R"("categories":["all"],"subresources":[{"subresource":"binding","responseKind":)"
      R"({"group":"","version":"v1","kind":"Binding"},"verbs":["create"]},)"
      R"({"subresource":"eviction","responseKind":{"group":"policy","version":"v1","kind":)"
      R"("Eviction"},"verbs":["create"]},)"
      R"({"subresource":"status","responseKind":{"group":"","version":"v1","kind":"Pod"},)"
      R"("verbs":["get","patch","update"]}]}],"freshness":"Current"}]}]})");
  EXPECT_THAT(discovery_.Groups(Form::AggregatedV2Beta1).json,
              HasSubstr(R"("apiVersion":"apidiscovery.k8s.io/v2beta1")"));
  EXPECT_THAT(discovery_.Groups(Form::AggregatedV2).json,
              HasSubstr(R"("items":[{"metadata":{"name":"apps"})"));
}

TEST_F(DiscoveryTest, ETagsFollowTheContent) {
  const std::string& etag = discovery_.Groups(Form::AggregatedV2).etag;
  EXPECT_EQ(etag.size(), 66u);
  EXPECT_TRUE(etag.starts_with('"') && etag.ends_with('"'));
  EXPECT_EQ(Discovery(resources_, "a:1").Groups(Form::AggregatedV2).etag, etag);
  EXPECT_NE(discovery_.Core(Form::AggregatedV2).etag, etag);
}

TEST(DiscoveryFormTest, IsWhatTheClientPrefers) {
  EXPECT_EQ(Discovery::FormOf("application/json;g=apidiscovery.k8s.io;v=v2;"
                              "as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;"
                              "v=v2beta1;as=APIGroupDiscoveryList,application/json"),
            Form::AggregatedV2);
  EXPECT_EQ(Discovery::FormOf("application/json;g=apidiscovery.k8s.io;v=v2beta1;"
                              "as=APIGroupDiscoveryList,application/json"),
            Form::AggregatedV2Beta1);
  EXPECT_EQ(Discovery::FormOf("application/json;g=apidiscovery.k8s.io;v=v9;"
                              "as=APIGroupDiscoveryList,application/json"),
            Form::Plain);
  EXPECT_EQ(Discovery::FormOf("application/json, */*"), Form::Plain);
  EXPECT_EQ(Discovery::FormOf(""), Form::Plain);
}

TEST(DiscoveryFormTest, HasAContentType) {
  EXPECT_EQ(Discovery::ContentType(Form::Plain), "application/json");
  EXPECT_THAT(std::string(Discovery::ContentType(Form::AggregatedV2)), HasSubstr(";v=v2;"));
  EXPECT_THAT(std::string(Discovery::ContentType(Form::AggregatedV2Beta1)), HasSubstr("v2beta1"));
}

TEST(DiscoveryVersionTest, StableVersionsComeFirst) {
  const std::vector<std::string> ordered{"v10",     "v2",      "v1",       "v11beta2",
                                         "v2beta2", "v2beta1", "v1alpha3", "v1alpha1"};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      EXPECT_EQ(IsPreferredVersion(ordered[i], ordered[j]), i < j) << ordered[i] << ordered[j];
    }
  }
}

TEST(DiscoveryTableTest, AllOfIt) {
  const ResourceTable table;
  const Discovery discovery(table.all(), "127.0.0.1:6443");
  for (const Resource& resource : table.all()) {
    const DiscoveryDocument* list = discovery.Version(resource.group(), resource.kind->version);
    ASSERT_NE(list, nullptr) << resource.name();
    EXPECT_TRUE(codec::ParseJson(list->json).has_value());
    EXPECT_THAT(list->json, HasSubstr("{\"name\":\"" + std::string(resource.name()) + "\","));
  }
  EXPECT_EQ(discovery.Group("autoscaling"), nullptr) << "a Scale is no resource";
  EXPECT_TRUE(codec::ParseJson(discovery.Groups(Form::AggregatedV2).json).has_value());
}

}  // namespace
}  // namespace plimsoll::apiserver
