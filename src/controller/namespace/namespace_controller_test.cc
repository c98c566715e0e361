#include "controller/namespace/namespace_controller.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "controller/server_for_test.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart(1h);

/// The test's own finalizer keeps the namespace after its deletion, for inspection.
std::string Space(std::string_view name, bool is_terminating) {
  return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + std::string(name) +
         ", finalizers: [test/hold]" +
         (is_terminating ? ", deletionTimestamp: '1970-01-01T01:00:00Z'" : "") +
         "}\nspec: {finalizers: [kubernetes]}\nstatus: {phase: " +
         (is_terminating ? "Terminating" : "Active") + "}\n";
}
std::string Object(std::string_view kind, std::string_view space, std::string_view name,
                   std::string_view more = {}) {
  return "apiVersion: v1\nkind: " + std::string(kind) + "\nmetadata: {name: " + std::string(name) +
         ", namespace: " + std::string(space) + (more.empty() ? "" : ", " + std::string(more)) +
         "}\n";
}

class NamespaceTest : public testing::Test {
 protected:
  NamespaceTest() : server_(core_, kStart) {}

  bool IsFinalized(std::string_view name) {
    return FindAt(server_.Find("Namespace", {}, name)->tree(), {"spec", "finalizers"}) == nullptr;
  }
  std::string Condition(std::string_view type) {
    const WorkloadConditions conditions(*server_.Find("Namespace", {}, "a"));
    const WorkloadCondition* const found = conditions.Find(type);
    return found == nullptr ? "" : found->status + " " + found->reason + ": " + found->message;
  }

  NamespaceController core_;
  ServerForTest<NamespaceController> server_;
};

TEST_F(NamespaceTest, AnEmptyOneGoesAtOnce) {
  server_.Put(Space("a", true));
  server_.Sync();
  server_.RunFor(1s);
  EXPECT_TRUE(IsFinalized("a"));
}

TEST_F(NamespaceTest, AllThatIsInItGoes) {
  for (const char* space : {"a", "b"}) {
    server_.Put(Space(space, false));
    server_.Put(Object("ConfigMap", space, "one"));
    server_.Put(Object("Secret", space, "two"));
    server_.Put(Object("Pod", space, "three"));
    server_.Put(Object("Service", space, "four"));
    server_.Put(Object("Event", space, "five"));
  }
  server_.Sync();
  server_.RunFor(1min);
  EXPECT_EQ(server_.writes(), 0u);
  server_.Put(Space("a", true));
  server_.RunFor(1s);
  EXPECT_TRUE(IsFinalized("a"));
  for (const char* kind : {"ConfigMap", "Secret", "Pod", "Service", "Event"}) {
    EXPECT_EQ(server_.All(kind).size(), 1u) << kind;
  }
  EXPECT_FALSE(IsFinalized("b"));
}

TEST_F(NamespaceTest, PodsGoFirst) {
  server_.Put(Space("a", false));
  server_.Put(Object("ConfigMap", "a", "config"));
  server_.Put(Object("Pod", "a", "pod", "finalizers: [test/hold]"));
  server_.Sync();
  server_.Put(Space("a", true));
  server_.RunFor(1s);
  EXPECT_EQ(server_.All("ConfigMap").size(), 1u);
  EXPECT_FALSE(server_.Find("Pod", "a", "pod")->metadata().deletion_timestamp.empty());
  EXPECT_EQ(Condition("NamespaceContentRemaining"),
            "True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource "
            "instances, pods. has 1 resource instances");
  EXPECT_EQ(Condition("NamespaceFinalizersRemaining"),
            "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: "
            "test/hold in 1 resource instances");
  EXPECT_EQ(Condition("NamespaceDeletionContentFailure"),
            "False ContentDeleted: All content successfully deleted, may be waiting on "
            "finalization");
  EXPECT_FALSE(IsFinalized("a"));
  server_.Patch("Pod", "a", "pod", R"({"metadata":{"finalizers":null}})");
  server_.RunFor(1s);
  EXPECT_EQ(server_.All("ConfigMap").size(), 0u);
  EXPECT_TRUE(IsFinalized("a"));
}

TEST_F(NamespaceTest, FailuresAreToldAndTriedAgain) {
  server_.Put(Space("a", false));
  server_.Put(Object("ConfigMap", "a", "config"));
  server_.Sync();
  server_.FailNext(1);
  server_.Put(Space("a", true));
  server_.Settle();
  server_.RunFor(5ms);
  EXPECT_EQ(
      Condition("NamespaceDeletionContentFailure"),
      "True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: refused");
  server_.RunFor(1min);
  EXPECT_TRUE(IsFinalized("a"));
}

TEST_F(NamespaceTest, AnotherOneGoesOnWhereThisOneStopped) {
  for (std::size_t writes = 0; writes < 6; ++writes) {
    NamespaceController first;
    ServerForTest before(first, kStart);
    before.Put(Space("a", true));
    before.Put(Object("ConfigMap", "a", "config"));
    before.Put(Object("Pod", "a", "pod"));
    before.Sync();
    before.SettleWrites(writes);
    NamespaceController second;
    ServerForTest after(second, kStart);
    after.TakeOver(before);
    after.Sync();
    after.RunFor(1min);
    EXPECT_EQ(after.All("ConfigMap").size(), 0u) << writes;
    EXPECT_EQ(FindAt(after.Find("Namespace", {}, "a")->tree(), {"spec", "finalizers"}), nullptr)
        << writes;
  }
}

}  // namespace
}  // namespace plimsoll::controller
