#include "apiserver/resource/metrics_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "apiserver/discovery/discovery.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {
namespace {

using testing::HasSubstr;
using testing::Not;
using Form = Discovery::Form;

TEST(MetricsResourcesTest, AreDiscoveredAndNeverStored) {
  const ResourceTable table;
  for (const char* const plural : {"nodes", "pods"}) {
    const Resource* const found = table.Find("metrics.k8s.io", "v1beta1", plural);
    ASSERT_NE(found, nullptr) << plural;
    EXPECT_TRUE(IsMetrics(*found->kind));
    EXPECT_TRUE(found->is_served);
    EXPECT_FALSE(found->is_stored()) << "the cache has no such objects";
    EXPECT_FALSE(found->Allows("delete")) << "collectors would try to delete them";
    EXPECT_FALSE(found->Allows("watch"));
  }
  EXPECT_EQ(table.Find("metrics.k8s.io", "v1beta1", "services"), nullptr);
  EXPECT_EQ(table.Find("metrics.k8s.io", "v1", "pods"), nullptr);
  EXPECT_FALSE(IsMetrics(*table.Find("", "v1", "pods")->kind));
  const auto is_metrics = [](const Resource& row) { return IsMetrics(*row.kind); };
  EXPECT_TRUE(std::ranges::none_of(table.all(), is_metrics));
  EXPECT_TRUE(std::ranges::none_of(table.served(), is_metrics)) << "OpenAPI does not describe them";
  EXPECT_EQ(std::ranges::count_if(table.discovered(), is_metrics), 2);
}

TEST(MetricsResourcesTest, AreListedInDiscovery) {
  const ResourceTable table;
  const Discovery discovery(table.discovered(), "127.0.0.1:6443");
  EXPECT_EQ(
      discovery.Version("metrics.k8s.io", "v1beta1")->json,
      R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"metrics.k8s.io/v1beta1",)"
      R"("resources":[{"name":"nodes","singularName":"","namespaced":false,)"
      R"("kind":"NodeMetrics","verbs":["get","list"]},{"name":"pods","singularName":"",)"
      R"("namespaced":true,"kind":"PodMetrics","verbs":["get","list"]}]})");
  EXPECT_THAT(discovery.Groups(Form::Plain).json, HasSubstr(R"({"name":"metrics.k8s.io")"));
  EXPECT_THAT(discovery.Groups(Form::AggregatedV2).json,
              HasSubstr(R"({"metadata":{"name":"metrics.k8s.io"})"));
}

TEST(MetricsResourcesTest, CanBeTurnedOff) {
  for (const std::string setting :
       {"metrics.k8s.io/v1beta1=false", "metrics.k8s.io/v1beta1/pods=false", "api/beta=false"}) {
    const auto config = RuntimeConfig::Parse(std::span(&setting, 1));
    ASSERT_TRUE(config.has_value()) << setting;
    const ResourceTable table(*config);
    EXPECT_FALSE(table.Find("metrics.k8s.io", "v1beta1", "pods")->is_served) << setting;
    const Discovery discovery(table.discovered(), "127.0.0.1:6443");
    const DiscoveryDocument* const left = discovery.Version("metrics.k8s.io", "v1beta1");
    EXPECT_THAT(left == nullptr ? "" : left->json, Not(HasSubstr("PodMetrics"))) << setting;
  }
}

TEST(MetricsResourcesTest, TheResponseSaysWhy) {
  const api::StatusObject status = NoMetrics();
  EXPECT_EQ(status.code, 501);
  EXPECT_EQ(status.reason, "NotImplemented");
  EXPECT_THAT(status.message, testing::StartsWith("containers are simulated"));
}

}  // namespace
}  // namespace plimsoll::apiserver
