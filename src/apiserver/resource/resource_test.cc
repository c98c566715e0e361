#include "apiserver/resource/resource.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace plimsoll::apiserver {
namespace {

TEST(ResourceTableTest, FindsResourcesByNameAndKey) {
  const ResourceTable table;
  const Resource* pods = table.Find("", "v1", "pods");
  ASSERT_NE(pods, nullptr);
  EXPECT_EQ(pods->KeyOf("default", "web"), "/registry/pods/default/web");
  EXPECT_EQ(table.OfKey("/registry/pods/default/web"), pods);
  EXPECT_EQ(table.FindKind("", "v1", "Pod"), pods);
  EXPECT_TRUE(pods->Allows("deletecollection"));
  EXPECT_TRUE(pods->Serves("binding"));
  EXPECT_TRUE(pods->Serves("exec"));
  EXPECT_FALSE(pods->Serves("proxy"));
  EXPECT_EQ(table.Find("", "v1", "gadgets"), nullptr);
  EXPECT_EQ(table.Find("apps", "v1", "pods"), nullptr);
}

TEST(ResourceTableTest, ServesWhatASchedulerWatches) {
  const ResourceTable table;
  for (const auto& [group, plural] : std::vector<std::pair<std::string, std::string>>{
           {"", "nodes"},
           {"", "pods"},
           {"", "persistentvolumes"},
           {"", "persistentvolumeclaims"},
           {"", "services"},
           {"", "replicationcontrollers"},
           {"", "namespaces"},
           {"apps", "replicasets"},
           {"apps", "statefulsets"},
           {"policy", "poddisruptionbudgets"},
           {"scheduling.k8s.io", "priorityclasses"},
           {"storage.k8s.io", "csinodes"},
           {"storage.k8s.io", "csidrivers"},
           {"storage.k8s.io", "csistoragecapacities"},
           {"storage.k8s.io", "volumeattachments"},
           {"storage.k8s.io", "storageclasses"},
           {"resource.k8s.io", "resourceclaims"},
           {"resource.k8s.io", "resourceslices"},
           {"resource.k8s.io", "deviceclasses"},
       }) {
    const Resource* resource = table.Find(group, "v1", plural);
    ASSERT_NE(resource, nullptr) << plural;
    for (const char* verb : {"get", "list", "watch"}) {
      EXPECT_TRUE(resource->Allows(verb)) << plural << " " << verb;
    }
  }
}

TEST(ResourceTableTest, KeysLieWhereToolsForEtcdLookForThem) {
  const ResourceTable table;
  const Resource* nodes = table.Find("", "v1", "nodes");
  ASSERT_NE(nodes, nullptr);
  EXPECT_EQ(nodes->KeyOf("ignored", "n1"), "/registry/minions/n1");
}

TEST(ResourceTableTest, EveryStoredResourceFindsItselfByItsKeys) {
  const ResourceTable table;
  for (const Resource& resource : table.all()) {
    if (!resource.is_stored()) continue;
    const Resource* found = table.OfKey(resource.KeyOf("ns", "x"));
    ASSERT_NE(found, nullptr) << resource.name();
    EXPECT_EQ(found->kind, resource.stored) << resource.name();
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
