#include "apiserver/strategy/admin_namespaces.h"

#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

class LabelledNamespacesTest : public testing::Test, public CacheFixture {};

TEST_F(LabelledNamespacesTest, OnlyTheLabelCounts) {
  const LabelledNamespaces namespaces(cache(), Of("namespaces"));
  Put(Of("namespaces"), "", "admin", "",
      R"(,"labels":{"resource.kubernetes.io/admin-access":"true"})");
  Put(Of("namespaces"), "", "no", "", R"(,"labels":{"resource.kubernetes.io/admin-access":"yes"})");
  Put(Of("namespaces"), "", "plain");
  EXPECT_TRUE(namespaces.AllowsAdminAccess("admin"));
  for (const char* const name : {"no", "plain", "missing"}) {
    EXPECT_FALSE(namespaces.AllowsAdminAccess(name)) << name;
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
