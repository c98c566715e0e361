#include "apiserver/authn/bound_objects.h"

#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

TEST(BoundObjectsTest, FindsThemInTheCache) {
  CacheFixture fixture;
  fixture.Put(fixture.Of("serviceaccounts"), "ns", "robot", "", R"(,"uid":"u1")");
  const store::Revision last = fixture.Put(
      fixture.Of("pods"), "ns", "p", R"(,"spec":{"serviceAccountName":"robot","nodeName":"n1"})",
      R"(,"uid":"u2","deletionTimestamp":"2026-03-01T12:00:30Z")");
  ASSERT_TRUE(fixture.cache().WaitFor(last, std::chrono::seconds(5)).has_value());
  const BoundObjects find = BoundObjectsIn(fixture.cache(), fixture.table());
  const auto account = find("ServiceAccount", "ns", "robot");
  ASSERT_TRUE(account.has_value());
  EXPECT_EQ(account->uid, "u1");
  EXPECT_FALSE(account->deleted.has_value());
  const auto pod = find("Pod", "ns", "p");
  ASSERT_TRUE(pod.has_value());
  EXPECT_EQ(pod->service_account, "robot");
  EXPECT_EQ(pod->node, "n1");
  EXPECT_EQ(pod->deleted, kTestStart + std::chrono::seconds(30));
  EXPECT_FALSE(find("ServiceAccount", "other", "robot").has_value());
  EXPECT_FALSE(find("Node", "", "n1").has_value());
  EXPECT_FALSE(find("Deployment", "ns", "x").has_value());
}

TEST(BoundObjectsTest, AnObjectThatCannotBeReadIsNotThere) {
  CacheFixture fixture;
  const store::Revision last =
      fixture.Put(fixture.Of("pods"), "ns", "p", R"(,"spec":7)", R"(,"uid":"u2")");
  ASSERT_TRUE(fixture.cache().WaitFor(last, std::chrono::seconds(5)).has_value());
  const BoundObjects find = BoundObjectsIn(fixture.cache(), fixture.table());
  EXPECT_FALSE(find("Pod", "ns", "p").has_value());
}

}  // namespace
}  // namespace plimsoll::apiserver
