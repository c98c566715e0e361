#include "apiserver/authz/rbac_authorizer.h"

#include <gtest/gtest.h>

#include "apiserver/authz/rbac_for_test.h"
#include "apiserver/authz/snapshot_cell.h"
#include "apiserver/cache/cache_for_test.h"
#include "base/async.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;

constexpr std::string_view kRules =
    R"(,"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}])";
constexpr std::string_view kBinding =
    R"(,"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"},)"
    R"("subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"jo"}])";

class RbacAuthorizerTest : public testing::Test {
 protected:
  const Resource& Of(std::string_view plural) { return fixture_.Of(plural, kRbacGroup); }
  void Reach(store::Revision revision) {
    ASSERT_TRUE(fixture_.cache().WaitFor(revision, seconds(5)).has_value());
  }
  static bool MayGet(const Authorizer& authorizer, std::string namespace_) {
    return authorizer
        .Authorize(UserNamed("jo"), Request("get", "/pods", std::move(namespace_), "p"))
        .is_allowed;
  }

  CacheFixture fixture_;
};

TEST_F(RbacAuthorizerTest, StartsWithWhatIsThereAndFollows) {
  fixture_.Put(Of("roles"), "a", "r", kRules);
  Reach(fixture_.Put(Of("rolebindings"), "a", "b", kBinding));
  const RbacAuthorizer authorizer(fixture_.cache(), fixture_.table());
  EXPECT_TRUE(MayGet(authorizer, "a"));
  EXPECT_FALSE(MayGet(authorizer, "b"));

  fixture_.Put(Of("roles"), "b", "r", kRules);
  Reach(fixture_.Put(Of("rolebindings"), "b", "b", kBinding));
  EXPECT_TRUE(MayGet(authorizer, "b"));
  Reach(fixture_.Delete(Of("rolebindings"), "a", "b"));
  EXPECT_FALSE(MayGet(authorizer, "a"));
  Reach(fixture_.Delete(Of("roles"), "b", "r"));
  EXPECT_FALSE(MayGet(authorizer, "b"));
  EXPECT_EQ(authorizer.RulesFor(UserNamed("jo"), "b").ErrorText(),
            "role.rbac.authorization.k8s.io \"r\" not found");
}

TEST_F(RbacAuthorizerTest, ARoleOrBindingThatCannotBeReadGrantsNothing) {
  fixture_.Put(Of("roles"), "a", "r", kRules);
  Reach(fixture_.Put(Of("rolebindings"), "a", "b", kBinding));
  const RbacAuthorizer authorizer(fixture_.cache(), fixture_.table());
  ASSERT_TRUE(MayGet(authorizer, "a"));
  Reach(fixture_.Put(Of("roles"), "a", "r", R"(,"rules":5)"));
  EXPECT_FALSE(MayGet(authorizer, "a"));
  Reach(fixture_.Put(Of("roles"), "a", "r", kRules));
  ASSERT_TRUE(MayGet(authorizer, "a"));
  Reach(fixture_.Put(Of("rolebindings"), "a", "b", R"(,"subjects":"all")"));
  EXPECT_FALSE(MayGet(authorizer, "a"));
}

TEST_F(RbacAuthorizerTest, ListsAgainWhenTheCacheStartsAnew) {
  fixture_.Put(Of("roles"), "a", "r", kRules);
  Reach(fixture_.Put(Of("rolebindings"), "a", "b", kBinding));
  const RbacAuthorizer authorizer(fixture_.cache(), fixture_.table());
  ASSERT_TRUE(MayGet(authorizer, "a"));
  fixture_.LoseStore();
  Reach(fixture_.Delete(Of("roles"), "a", "r"));
  EXPECT_FALSE(MayGet(authorizer, "a"));
  Reach(fixture_.Put(Of("roles"), "a", "r", kRules));
  EXPECT_TRUE(MayGet(authorizer, "a"));
}

TEST_F(RbacAuthorizerTest, DecidesWhileRolesChange) {
  fixture_.Put(Of("roles"), "a", "r", kRules);
  Reach(fixture_.Put(Of("rolebindings"), "a", "b", kBinding));
  const RbacAuthorizer authorizer(fixture_.cache(), fixture_.table());
  {
    std::atomic<bool> is_over = false;
    WorkerPool pool(2);
    for (int i = 0; i < 2; ++i) {
      pool.Run([&] {
        while (!is_over) EXPECT_TRUE(MayGet(authorizer, "a"));
      });
    }
    for (int i = 0; i < 100; ++i) {
      const std::string name = "r" + std::to_string(i % 7);
      Reach(fixture_.Put(Of("roles"), i % 2 == 0 ? "a" : "b", name, kRules));
    }
    is_over = true;
  }
}

TEST(SnapshotCellTest, ReadersSeeTheLast) {
  SnapshotCell<int> one(std::make_shared<const int>(1));
  const SnapshotCell<int> two(std::make_shared<const int>(2));
  EXPECT_EQ(one.Read(), 1);
  EXPECT_EQ(two.Read(), 2);
  EXPECT_EQ(one.Read(), 1);
  one.Replace(std::make_shared<const int>(3));
  EXPECT_EQ(one.Read(), 3);
  EXPECT_EQ(two.Read(), 2);
}

}  // namespace
}  // namespace plimsoll::apiserver
