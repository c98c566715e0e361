#include "controller/garbage_collector/garbage_collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/server_for_test.h"
#include "controller/workload/deletable_kinds.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart(1h);

std::string Reference(std::string_view name, bool is_blocking = true,
                      std::string_view kind = "ConfigMap", std::string_view version = "v1") {
  return "{apiVersion: " + std::string(version) + ", kind: " + std::string(kind) +
         ", name: " + std::string(name) + ", uid: " + std::string(name) +
         ", blockOwnerDeletion: " + (is_blocking ? "true" : "false") + "}";
}
/// Returns a ConfigMap in YAML; its uid is its name.
std::string Map(std::string_view name, std::string_view owners = {}, std::string_view more = {},
                std::string_view space = "default") {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + std::string(name) +
         ", namespace: " + std::string(space) + ", uid: " + std::string(name) +
         ", ownerReferences: [" + std::string(owners) + "]" +
         (more.empty() ? "" : ", " + std::string(more)) + "}\n";
}

class GarbageCollectorTest : public testing::Test {
 protected:
  GarbageCollectorTest() : server_(core_, kStart) {}

  void Start() {
    server_.Sync();
    server_.RunFor(1s);
  }
  /// Deletes as the API server does with a propagation policy.
  void Delete(std::string_view name, std::string_view finalizer = {}) {
    if (!finalizer.empty()) {
      server_.Patch("ConfigMap", "default", name,
                    R"({"metadata":{"finalizers":[")" + std::string(finalizer) + R"("]}})");
    }
    server_.Delete("ConfigMap", "default", name);
    server_.RunFor(1s);
  }
  std::set<std::string> left() {
    std::set<std::string> names;
    for (const ObjectPtr& object : server_.All("ConfigMap")) {
      names.emplace(object->metadata().name);
    }
    return names;
  }

  GarbageCollector core_;
  ServerForTest<GarbageCollector> server_;
};

using Left = std::set<std::string>;

TEST(DeletableKindsTest, HoldsEachKindOnce) {
  const auto kinds = DeletableKinds();
  const auto count = [&](std::string_view group, std::string_view kind) {
    return std::ranges::count_if(
        kinds, [&](const auto& one) { return one.group == group && one.kind == kind; });
  };
  EXPECT_EQ(count("", "Pod"), 1);
  EXPECT_EQ(count("apps", "Deployment"), 1);
  EXPECT_EQ(count("", "Event"), 0);
  for (const WatchedKind& kind : kinds) {
    EXPECT_EQ(count(kind.group, kind.kind), 1) << kind.kind;
    EXPECT_NE(api::FindKind(kind.group, kind.version, kind.kind), nullptr);
  }
}

TEST_F(GarbageCollectorTest, WhatIsOwnedFollowsItsOwner) {
  server_.Put(Map("a"));
  server_.Put(Map("b", Reference("a")));
  server_.Put(Map("c", Reference("b")));
  server_.Put(Map("d"));
  Start();
  EXPECT_EQ(server_.writes(), 0u);
  Delete("a");
  EXPECT_EQ(left(), Left{"d"});
}

TEST_F(GarbageCollectorTest, AnotherOwnerKeepsIt) {
  server_.Put(Map("a"));
  server_.Put(Map("b"));
  server_.Put(Map("c", Reference("a") + ", " + Reference("b")));
  Start();
  Delete("a");
  EXPECT_EQ(left(), (Left{"b", "c"}));
  const auto& owners = server_.Find("ConfigMap", "default", "c")->metadata().owner_references;
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0].uid, "b");
}

TEST_F(GarbageCollectorTest, ForegroundWaitsForThoseThatBlock) {
  server_.Put(Map("a"));
  server_.Put(Map("b", Reference("a"), "finalizers: [test/hold]"));
  server_.Put(Map("c", Reference("a", false), "finalizers: [test/hold]"));
  Start();
  Delete("a", "foregroundDeletion");
  EXPECT_EQ(left(), (Left{"a", "b", "c"}));
  EXPECT_FALSE(server_.Find("ConfigMap", "default", "c")->metadata().deletion_timestamp.empty());
  server_.Patch("ConfigMap", "default", "b", R"({"metadata":{"finalizers":null}})");
  server_.RunFor(1s);
  EXPECT_EQ(left(), Left{"c"});
}

TEST_F(GarbageCollectorTest, OrphansAreLetGo) {
  server_.Put(Map("a"));
  server_.Put(Map("b", Reference("a")));
  server_.Put(Map("c", Reference("a")));
  Start();
  Delete("a", "orphan");
  EXPECT_EQ(left(), (Left{"b", "c"}));
  EXPECT_TRUE(server_.Find("ConfigMap", "default", "b")->metadata().owner_references.empty());
}

TEST_F(GarbageCollectorTest, AnOwnerThatNobodyHasSeenMayBeLate) {
  Start();
  server_.Put(Map("b", Reference("a")));
  server_.Put(Map("d", Reference("c")));
  server_.RunFor(20s);
  EXPECT_EQ(left(), (Left{"b", "d"}));
  server_.Put(Map("a"));
  server_.RunFor(20s);
  EXPECT_EQ(left(), (Left{"a", "b"}));
}

TEST_F(GarbageCollectorTest, AnOwnerMustBeWhereItsDependentsAre) {
  server_.Put(Map("a", {}, {}, "other"));
  server_.Put(Map("b", Reference("a")));
  Start();
  EXPECT_EQ(left(), Left{"a"});
  EXPECT_EQ(server_.TakeEvents().at(0),
            "OwnerRefInvalidNamespace: ownerRef [v1/ConfigMap, namespace: default, name: a, uid: "
            "a] does not exist in namespace \"default\"");
}

TEST_F(GarbageCollectorTest, WhatCannotBeLookedUpIsLeftAlone) {
  server_.Put(Map("b", Reference("a", true, "Widget", "example.com/v1")));
  server_.Put("apiVersion: v1\nkind: Node\nmetadata: {name: node1, uid: node1, ownerReferences: [" +
              Reference("a") + "]}\n");
  Start();
  server_.RunFor(1h);
  EXPECT_EQ(left(), Left{"b"});
  EXPECT_EQ(server_.All("Node").size(), 1u);
}

TEST_F(GarbageCollectorTest, ANameThatIsTakenByAnotherDoesNotCount) {
  server_.Put(Map("a"));
  server_.Put(Map("b", Reference("a")));
  Start();
  server_.Delete("ConfigMap", "default", "a");
  server_.Put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default, uid: x}\n");
  server_.RunFor(1s);
  EXPECT_EQ(left(), Left{"a"});
}

TEST_F(GarbageCollectorTest, FailedWritesAreTriedAgain) {
  server_.Put(Map("a"));
  for (int i = 0; i < 5; ++i) server_.Put(Map("b" + std::to_string(i), Reference("a")));
  Start();
  server_.FailNext(7);
  Delete("a");
  server_.RunFor(10s);
  EXPECT_EQ(left(), Left{});
}

TEST_F(GarbageCollectorTest, OrphaningIsTriedAgain) {
  server_.Put(Map("a"));
  for (int i = 0; i < 3; ++i) server_.Put(Map("b" + std::to_string(i), Reference("a")));
  Start();
  server_.FailNext(4);
  Delete("a", "orphan");
  server_.RunFor(10s);
  EXPECT_EQ(left(), (Left{"b0", "b1", "b2"}));
}

TEST_F(GarbageCollectorTest, ACircleDoesNotHoldItself) {
  server_.Put(Map("a", Reference("b")));
  server_.Put(Map("b", Reference("a")));
  Start();
  Delete("a", "foregroundDeletion");
  // The fake server ignores propagation policies; a real one would add a finalizer to b.
  server_.RunFor(10s);
  EXPECT_EQ(left(), Left{});
}

TEST_F(GarbageCollectorTest, ManyGoInGoodOrder) {
  server_.Put(Map("a"));
  for (int i = 0; i < 2000; ++i) server_.Put(Map("b" + std::to_string(i), Reference("a")));
  Start();
  Delete("a");
  server_.RunFor(1s);
  EXPECT_EQ(left(), Left{});
  EXPECT_EQ(server_.writes(), 2000u);
}

}  // namespace
}  // namespace plimsoll::controller
