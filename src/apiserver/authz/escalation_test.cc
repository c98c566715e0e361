#include "apiserver/authz/escalation.h"

#include <gtest/gtest.h>

#include "apiserver/authz/escalation_gate.h"
#include "apiserver/authz/rbac_for_test.h"

namespace plimsoll::apiserver {
namespace {

class PolicyAuthorizer final : public Authorizer, public RuleResolver {
 public:
  PolicyAuthorizer() {
    RbacPolicyBuilder builder;
    PutDefaults(builder);
    Grant(builder, "limited", R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"]})");
    Grant(
        builder, "escalator",
        R"({"verbs":["escalate"],"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles","clusterroles"]})");
    Grant(
        builder, "binder",
        R"({"verbs":["bind"],"apiGroups":["rbac.authorization.k8s.io"],"resources":["clusterroles"],"resourceNames":["view"]})");
    Grant(
        builder, "almighty",
        R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]},{"verbs":["*"],"nonResourceURLs":["*"]})");
    policy_ = builder.Build();
  }
  Decision Authorize(const User& user, const RequestInfo& what) const override {
    return policy_->Authorize(user, what);
  }
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override {
    return policy_->RulesFor(user, namespace_);
  }
  EscalationAuthorizers Judges() const {
    return {*this, *this, [this](const RoleRef& role, std::string_view namespace_) {
              return policy_->RulesOf(role, namespace_);
            }};
  }

 private:
  static void Grant(RbacPolicyBuilder& builder, const std::string& name, const std::string& rules) {
    builder.Put(RoleOf(R"({"metadata":{"name":")" + name + R"("},"rules":[)" + rules + "]}"));
    builder.Put(BindingOf(R"({"metadata":{"name":")" + name +
                          R"("},"roleRef":{"kind":"ClusterRole","name":")" + name +
                          R"("},"subjects":[{"kind":"User","name":")" + name + R"("}]})"));
  }
  std::shared_ptr<const RbacPolicy> policy_;
};

constexpr std::string_view kPods =
    R"({"metadata":{"name":"r","namespace":"a"},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})";
constexpr std::string_view kMore =
    R"({"metadata":{"name":"r","namespace":"a"},"rules":[{"verbs":["get","list","watch"],"apiGroups":[""],"resources":["pods","nodes"]}]})";
constexpr std::string_view kAggregate =
    R"({"metadata":{"name":"r"},"aggregationRule":{"clusterRoleSelectors":[]}})";

class EscalationTest : public testing::Test {
 protected:
  std::string WriteRole(std::string_view json, const User& user, const Role* before = nullptr) {
    const Role role = RoleOf(json);
    const RequestInfo what =
        Request("create",
                role.namespace_.empty() ? "rbac.authorization.k8s.io/clusterroles"
                                        : "rbac.authorization.k8s.io/roles",
                role.namespace_);
    const auto answer = CheckRoleEscalation(policy_.Judges(), user, what, before, role);
    return answer ? "ok" : answer.error().message;
  }
  std::string WriteBinding(std::string_view role_kind, std::string_view role, const User& user) {
    const RoleBinding binding =
        BindingOf(R"({"metadata":{"name":"b","namespace":"a"},"roleRef":{"apiGroup":)"
                  R"("rbac.authorization.k8s.io","kind":")" +
                  std::string(role_kind) + R"(","name":")" + std::string(role) + R"("}})");
    const auto answer = CheckBindingEscalation(
        policy_.Judges(), user, Request("create", "rbac.authorization.k8s.io/rolebindings", "a"),
        binding);
    return answer ? "ok" : answer.error().message;
  }

  PolicyAuthorizer policy_;
};

TEST_F(EscalationTest, OneMayGiveWhatOneHas) {
  EXPECT_EQ(WriteRole(kPods, UserNamed("limited")), "ok");
  EXPECT_EQ(
      WriteRole(kMore, UserNamed("limited", {"g", "h"})),
      R"(roles.rbac.authorization.k8s.io "r" is forbidden: user "limited" (groups=["g" "h"]) is attempting to grant RBAC permissions not currently held:)"
      "\n"
      R"({APIGroups:[""], Resources:["nodes"], Verbs:["get" "list" "watch"]})"
      "\n"
      R"({APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]})");
  EXPECT_EQ(WriteRole(kMore, UserNamed("escalator")), "ok");
  EXPECT_EQ(WriteRole(kMore, UserNamed("x", {"system:masters"})), "ok");
}

TEST_F(EscalationTest, OnlyWhoMayDoAllMayAggregate) {
  EXPECT_EQ(WriteRole(kAggregate, UserNamed("almighty")), "ok");
  const std::string want =
      R"(clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule)";
  EXPECT_EQ(WriteRole(kAggregate, UserNamed("limited")), want);
  const Role before = RoleOf(kAggregate);
  EXPECT_EQ(WriteRole(R"({"metadata":{"name":"r"}})", UserNamed("limited"), &before), want);
}

TEST_F(EscalationTest, BindingIsGiving) {
  EXPECT_EQ(WriteBinding("ClusterRole", "limited", UserNamed("limited")), "ok");
  EXPECT_EQ(WriteBinding("ClusterRole", "view", UserNamed("binder")), "ok");
  EXPECT_NE(WriteBinding("ClusterRole", "edit", UserNamed("binder")).find("is attempting to grant"),
            std::string::npos);
  EXPECT_EQ(WriteBinding("ClusterRole", "edit", UserNamed("x", {"system:masters"})), "ok");
  EXPECT_EQ(WriteBinding("Role", "gone", UserNamed("limited")),
            R"(role.rbac.authorization.k8s.io "gone" not found)");
}

TEST(EscalationGateTest, HoldsWritesOfRolesAgainstTheirAuthor) {
  const PolicyAuthorizer policy;
  EscalationGate gate(policy.Judges());
  const ResourceTable table;
  const auto document = codec::ParseJson(std::string(kMore));
  const User limited = UserNamed("limited");
  AdmissionAttributes attributes;
  attributes.resource = table.Find(kRbacGroup, "v1", "roles");
  attributes.namespace_ = "a";
  attributes.name = "r";
  attributes.document = document->get();
  attributes.user = &limited;
  const auto refused = gate.Admit(attributes);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, 403);
  attributes.operation = Operation::Delete;
  EXPECT_TRUE(gate.Admit(attributes).has_value());
  attributes.operation = Operation::Create;
  attributes.resource = table.Find("", "v1", "pods");
  EXPECT_TRUE(gate.Admit(attributes).has_value());
}

TEST(EscalationGateTest, TheCollectorMayDoItsWork) {
  const auto differ = [](std::string_view a, std::string_view b) {
    return DifferForCollectorOnly((*codec::ParseJson(std::string(a)))->root(),
                                  (*codec::ParseJson(std::string(b)))->root());
  };
  EXPECT_TRUE(differ(R"({"metadata":{"name":"r","finalizers":["x"]},"rules":[]})",
                     R"({"metadata":{"name":"r","ownerReferences":[]},"rules":[]})"));
  EXPECT_FALSE(differ(R"({"metadata":{"name":"r"},"rules":[]})", R"({"metadata":{"name":"r"}})"));
  EXPECT_FALSE(differ(R"({"metadata":{"name":"r"}})", R"({"metadata":{"name":"r","labels":{}}})"));
}

}  // namespace
}  // namespace plimsoll::apiserver
