#include <gtest/gtest.h>

#include "apiserver/strategy/strategy.h"

namespace plimsoll::apiserver {
namespace {

TEST(StrategyOfTest, IsThatOfTheKindAndItsVersion) {
  const ResourceTable table;
  const auto returns_deleted = [&](std::string_view version) {
    return StrategyOf(*table.Find("resource.k8s.io", version, "devicetaintrules")->kind)
        .returns_deleted;
  };
  EXPECT_FALSE(returns_deleted("v1"));
  EXPECT_TRUE(returns_deleted("v1alpha3"));
  EXPECT_TRUE(StrategyOf(*table.Find("", "v1", "pods")->kind).deletes_gracefully);
  EXPECT_TRUE(StrategyOf(*table.Find("", "v1", "configmaps")->kind).allows_unconditional_update);
}

}  // namespace
}  // namespace plimsoll::apiserver
