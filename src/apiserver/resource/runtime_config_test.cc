#include "apiserver/resource/runtime_config.h"

#include <vector>

#include "apiserver/resource/resource.h"
#include "gtest/gtest.h"

namespace plimsoll::apiserver {
namespace {

using Settings = std::vector<std::string>;

RuntimeConfig Parsed(const Settings& settings) { return *RuntimeConfig::Parse(settings); }

TEST(RuntimeConfigTest, EverythingIsServedByDefault) {
  const RuntimeConfig config;
  EXPECT_TRUE(config.Serves("apps", "v1", "deployments"));
  EXPECT_TRUE(config.Serves("resource.k8s.io", "v1alpha3", "devicetaintrules"));
}

TEST(RuntimeConfigTest, ASettingOfAVersionIsStrongerThanOneOfAClass) {
  const RuntimeConfig config =
      Parsed({"api/all=false", "api/ga=true", "resource.k8s.io/v1beta2=true", "apps/v1=false"});
  EXPECT_TRUE(config.Serves("", "v1", "pods"));
  EXPECT_TRUE(config.Serves("batch", "v1", "jobs"));
  EXPECT_FALSE(config.Serves("apps", "v1", "deployments"));
  EXPECT_TRUE(config.Serves("resource.k8s.io", "v1beta2", "resourceclaims"));
  EXPECT_FALSE(config.Serves("resource.k8s.io", "v1alpha3", "devicetaintrules"));
  EXPECT_FALSE(Parsed({"api/alpha=false"}).Serves("resource.k8s.io", "v1alpha3", "x"));
  EXPECT_FALSE(Parsed({"api/beta=false"}).Serves("resource.k8s.io", "v1beta2", "x"));
}

TEST(RuntimeConfigTest, ASettingMayNameAResource) {
  const RuntimeConfig config = Parsed({"apps/v1=false", "apps/v1/deployments"});
  EXPECT_TRUE(config.Serves("apps", "v1", "deployments"));
  EXPECT_FALSE(config.Serves("apps", "v1", "daemonsets"));
}

TEST(RuntimeConfigTest, RefusesWhatItDoesNotKnow) {
  const auto fault = [](const Settings& settings) {
    const Result<RuntimeConfig> config = RuntimeConfig::Parse(settings);
    return config ? std::string() : config.error().message;
  };
  EXPECT_EQ(fault({"apps/v1=maybe"}), "invalid value of apps/v1: maybe");
  EXPECT_EQ(fault({"nobody.io/v1=true"}), "unknown api groups nobody.io");
  EXPECT_EQ(fault({"apps/v7=true"}), "group version apps/v7 that has not been registered");
  EXPECT_EQ(fault({"apps/v1/pods=true"}), "resource apps/v1/pods that has not been registered");
  EXPECT_EQ(fault({"apps=true"}), "runtime-config invalid key apps");
  EXPECT_EQ(fault({"api/all=false"}), "invalid key with only api/all=false");
  EXPECT_EQ(fault({"api/v1=false"}), "api/v1 cannot be disabled: the server needs it");
  EXPECT_EQ(fault({"api/all=false", "api/v1=true", "apps/v1=true"}), "");
}

TEST(RuntimeConfigTest, ATableKeepsWhatIsNotServedForTheStore) {
  const ResourceTable table(Parsed({"resource.k8s.io/v1=false"}));
  const Resource* const claims = table.Find("resource.k8s.io", "v1", "resourceclaims");
  ASSERT_NE(claims, nullptr);
  EXPECT_FALSE(claims->is_served);
  for (const Resource& resource : table.served()) {
    EXPECT_FALSE(resource.group() == "resource.k8s.io" && resource.kind->version == "v1");
  }
  EXPECT_EQ(ResourceTable().served().size(), ResourceTable().all().size());
}

}  // namespace
}  // namespace plimsoll::apiserver
