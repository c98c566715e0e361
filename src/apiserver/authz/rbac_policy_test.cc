#include "apiserver/authz/rbac_policy.h"

#include <gtest/gtest.h>

#include "apiserver/authz/rbac_for_test.h"
#include "apiserver/authz/rbac_object.h"
#include "apiserver/authz/rule_resolver.h"

namespace plimsoll::apiserver {
namespace {

std::string Binding(std::string_view name, std::string_view namespace_, std::string_view role_kind,
                    std::string_view role, std::string_view subjects) {
  std::string text = R"({"metadata":{"name":")" + std::string(name) + '"';
  if (!namespace_.empty()) text += R"(,"namespace":")" + std::string(namespace_) + '"';
  text += R"(},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":")";
  text += std::string(role_kind) + R"(","name":")" + std::string(role) + R"("},"subjects":[)";
  return text + std::string(subjects) + "]}";
}

constexpr std::string_view kReader =
    R"({"metadata":{"name":"reader"},)"
    R"("rules":[{"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}]})";
constexpr std::string_view kWriter =
    R"({"metadata":{"name":"writer","namespace":"a"},)"
    R"("rules":[{"verbs":["create"],"apiGroups":[""],"resources":["pods"]}]})";

TEST(RbacPolicyTest, AClusterBindingHoldsEverywhere) {
  RbacPolicyBuilder builder;
  builder.Put(RoleOf(kReader));
  builder.Put(BindingOf(Binding("all", "", "ClusterRole", "reader",
                                R"({"kind":"User","name":"x"},{"kind":"Group","name":"devs"})")));
  const auto policy = builder.Build();
  const User jane = UserNamed("jane", {"devs"});
  for (const char* const namespace_ : {"", "a", "b"}) {
    const Decision decision = policy->Authorize(jane, Request("list", "/pods", namespace_));
    EXPECT_TRUE(decision.is_allowed);
    EXPECT_EQ(
        decision.reason,
        R"(RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "devs")");
  }
  EXPECT_FALSE(policy->Authorize(jane, Request("create", "/pods", "a")).is_allowed);
  EXPECT_EQ(policy->Authorize(jane, Request("create", "/pods", "a")).reason, "");
  EXPECT_FALSE(policy->Authorize(UserNamed("devs"), Request("list", "/pods")).is_allowed);
}

TEST(RbacPolicyTest, ANamespacedBindingHoldsInItsNamespace) {
  RbacPolicyBuilder builder;
  builder.Put(RoleOf(kReader));
  builder.Put(RoleOf(kWriter));
  builder.Put(
      BindingOf(Binding("r", "a", "ClusterRole", "reader", R"({"kind":"User","name":"jo"})")));
  builder.Put(BindingOf(
      Binding("w", "a", "Role", "writer", R"({"kind":"ServiceAccount","name":"robot"})")));
  const auto policy = builder.Build();
  const User jo = UserNamed("jo");
  EXPECT_EQ(policy->Authorize(jo, Request("get", "/pods", "a", "p")).reason,
            R"(RBAC: allowed by RoleBinding "r/a" of ClusterRole "reader" to User "jo")");
  EXPECT_FALSE(policy->Authorize(jo, Request("get", "/pods", "b", "p")).is_allowed);
  EXPECT_FALSE(policy->Authorize(jo, Request("list", "/pods")).is_allowed);
  const User robot = UserNamed("system:serviceaccount:a:robot");
  EXPECT_EQ(policy->Authorize(robot, Request("create", "/pods", "a")).reason,
            R"(RBAC: allowed by RoleBinding "w/a" of Role "writer" to ServiceAccount "robot/a")");
}

TEST(RbacPolicyTest, RolesThatAreNotThereAreNamed) {
  RbacPolicyBuilder builder;
  builder.Put(
      BindingOf(Binding("one", "", "ClusterRole", "gone", R"({"kind":"User","name":"jo"})")));
  const User jo = UserNamed("jo");
  EXPECT_EQ(builder.Build()->Authorize(jo, Request("get", "/pods", "a")).reason,
            R"(RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found)");
  builder.Put(BindingOf(Binding("two", "a", "Role", "lost", R"({"kind":"User","name":"jo"})")));
  const auto policy = builder.Build();
  const std::string both = R"([clusterrole.rbac.authorization.k8s.io "gone" not found, )"
                           R"(role.rbac.authorization.k8s.io "lost" not found])";
  EXPECT_EQ(policy->Authorize(jo, Request("get", "/pods", "a")).reason, "RBAC: " + both);
  EXPECT_EQ(policy->RulesFor(jo, "a").ErrorText(), both);
  EXPECT_EQ(policy->RulesOf({"", "ClusterRole", "gone"}, "").error().reason, Reason::NotFound);
}

TEST(RbacPolicyTest, ChangesShowInTheNextPolicyOnly) {
  RbacPolicyBuilder builder;
  builder.Put(RoleOf(kWriter));
  builder.Put(BindingOf(Binding("w", "a", "Role", "writer", R"({"kind":"User","name":"jo"})")));
  const auto before = builder.Build();
  builder.RemoveRole("a", "writer");
  builder.RemoveBinding("a", "w");
  const auto after = builder.Build();
  const User jo = UserNamed("jo");
  EXPECT_TRUE(before->Authorize(jo, Request("create", "/pods", "a")).is_allowed);
  EXPECT_FALSE(after->Authorize(jo, Request("create", "/pods", "a")).is_allowed);
}

TEST(RbacPolicyTest, ClearingIsByScope) {
  RbacPolicyBuilder builder;
  builder.Put(RoleOf(kReader));
  builder.Put(RoleOf(kWriter));
  builder.Put(
      BindingOf(Binding("r", "a", "ClusterRole", "reader", R"({"kind":"User","name":"jo"})")));
  builder.Put(BindingOf(Binding("w", "a", "Role", "writer", R"({"kind":"User","name":"jo"})")));
  builder.ClearRoles(false);
  builder.ClearBindings(true);
  const auto policy = builder.Build();
  const User jo = UserNamed("jo");
  EXPECT_TRUE(policy->Authorize(jo, Request("get", "/pods", "a")).is_allowed);
  EXPECT_FALSE(policy->Authorize(jo, Request("create", "/pods", "a")).is_allowed);
  builder.ClearRoles(true);
  builder.ClearBindings(false);
  EXPECT_EQ(builder.Build()->Authorize(jo, Request("get", "/pods", "a")).reason, "");
}

TEST(RbacPolicyTest, AggregationFollowsLabelsThroughOthersAndCycles) {
  RbacPolicyBuilder builder;
  const auto aggregate = [](std::string_view name, std::string_view label, std::string_view of) {
    return R"({"metadata":{"name":")" + std::string(name) + R"(","labels":{")" +
           std::string(label) +
           R"(":"true"}},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{")" +
           std::string(of) + R"(":"true"}}]},"rules":[{"verbs":["x"]}]})";
  };
  builder.Put(RoleOf(aggregate("top", "to-middle", "to-top")));
  builder.Put(RoleOf(aggregate("middle", "to-top", "to-middle")));
  builder.Put(RoleOf(R"({"metadata":{"name":"leaf","labels":{"to-middle":"true"}},)"
                     R"("rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})"));
  const auto rules = [&](std::string name) {
    return *builder.Build()->RulesOf({"", "ClusterRole", std::move(name)}, "");
  };
  const PolicyRules want = {{{"get"}, {""}, {"pods"}, {}, {}}};
  EXPECT_EQ(rules("top"), want);
  EXPECT_EQ(rules("middle"), want);
  builder.RemoveRole("", "leaf");
  EXPECT_TRUE(rules("top").empty());
}

TEST(AggregateTextTest, ListsDifferentErrorsOnce) {
  EXPECT_EQ(AggregateText({}), "");
  EXPECT_EQ(AggregateText({"a", "a"}), "a");
  EXPECT_EQ(AggregateText({"a", "b", "a"}), "[a, b]");
}

}  // namespace
}  // namespace plimsoll::apiserver
