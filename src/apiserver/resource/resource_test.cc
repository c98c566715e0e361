#include "apiserver/resource/resource.h"

#include <gtest/gtest.h>

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
  EXPECT_FALSE(pods->Serves("exec"));
  EXPECT_EQ(table.Find("", "v1", "gadgets"), nullptr);
  EXPECT_EQ(table.Find("apps", "v1", "pods"), nullptr);
  EXPECT_TRUE(table.HasVersion("apps", "v1"));
  EXPECT_FALSE(table.HasVersion("apps", "v2"));
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
