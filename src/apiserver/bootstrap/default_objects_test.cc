#include "apiserver/bootstrap/default_objects.h"

#include <gtest/gtest.h>

#include <set>

#include "api/object.h"
#include "apiserver/authz/rbac_for_test.h"

namespace plimsoll::apiserver {
namespace {

std::vector<DefaultObject> All() {
  std::vector<DefaultObject> all = DefaultNamespaces();
  for (auto* const more :
       {&DefaultPriorityClasses, &DefaultClusterRoles, &DefaultClusterRoleBindings, &DefaultRoles,
        &DefaultRoleBindings, &ControllerManagerRoles}) {
    for (DefaultObject& object : (*more)()) all.push_back(std::move(object));
  }
  all.push_back(AuthenticationConfigMap("-----BEGIN CERTIFICATE-----\n"));
  all.push_back(TokenTrackingConfigMap({}));
  all.push_back(KubernetesService("10.0.0.1", 6443));
  return all;
}

TEST(DefaultObjectsTest, AreStrictlyOfTheirKinds) {
  std::set<std::string> seen;
  for (const DefaultObject& object : All()) {
    SCOPED_TRACE(object.name);
    auto parsed = codec::ParseJson(object.json);
    ASSERT_TRUE(parsed.has_value());
    const auto decoded = api::DecodeObject(std::shared_ptr<codec::Document>(*std::move(parsed)),
                                           {.field_validation = api::FieldValidation::Strict});
    ASSERT_TRUE(decoded.has_value()) << decoded.error().Text();
    EXPECT_EQ(decoded->object->kind().plural, object.resource);
    EXPECT_EQ(decoded->object->kind().group, object.group);
    EXPECT_EQ(decoded->object->metadata().name, object.name);
    EXPECT_EQ(decoded->object->metadata().namespace_, object.namespace_);
    EXPECT_TRUE(
        seen.insert(std::string(object.resource) + "/" + object.namespace_ + "/" + object.name)
            .second);
  }
}

TEST(DefaultObjectsTest, EveryBindingHasItsRole) {
  RbacPolicyBuilder builder;
  PutDefaults(builder);
  const auto policy = builder.Build();
  for (const DefaultObject& object : DefaultClusterRoleBindings()) {
    EXPECT_TRUE(policy->RulesOf(BindingOf(object.json).role, "").has_value()) << object.name;
  }
}

TEST(DefaultObjectsTest, NamespacesHaveUpstreamsRolesAndBindings) {
  std::set<std::string> roles;
  for (const DefaultObject& object : DefaultRoles()) roles.insert(object.namespace_ + object.name);
  EXPECT_EQ(roles.size(), 7u);
  const std::vector<DefaultObject> bindings = DefaultRoleBindings();
  EXPECT_EQ(bindings.size(), 7u);
  for (const DefaultObject& object : bindings) {
    EXPECT_TRUE(roles.contains(object.namespace_ + BindingOf(object.json).role.name))
        << object.name;
  }
}

TEST(DefaultObjectsTest, AggregatedRolesHaveTheRulesOfTheirParts) {
  const PolicyRules to_view = DefaultRulesOf("system:aggregate-to-view");
  const PolicyRules to_edit = DefaultRulesOf("system:aggregate-to-edit");
  const PolicyRules to_admin = DefaultRulesOf("system:aggregate-to-admin");
  EXPECT_EQ(DefaultRulesOf("view"), to_view);
  PolicyRules edit = to_edit;
  edit.insert(edit.end(), to_view.begin(), to_view.end());
  EXPECT_EQ(DefaultRulesOf("edit"), edit);
  PolicyRules admin = edit;
  admin.insert(admin.end(), to_admin.begin(), to_admin.end());
  EXPECT_EQ(DefaultRulesOf("admin"), admin);
  EXPECT_EQ(admin.size(), 31u);
  for (const DefaultObject& object : DefaultClusterRoles()) {
    if (object.name != "admin") continue;
    EXPECT_EQ(RoleOf(object.json).rules, admin);
  }
}

TEST(DefaultObjectsTest, RolesSayWhereTheyComeFrom) {
  for (const DefaultObject& object : DefaultClusterRoles()) {
    if (object.name != "view") continue;
    EXPECT_TRUE(object.json.starts_with(
        R"({"kind":"ClusterRole","apiVersion":"rbac.authorization.k8s.io/v1","metadata":)"
        R"({"name":"view","labels":{"kubernetes.io/bootstrapping":"rbac-defaults",)"
        R"("rbac.authorization.k8s.io/aggregate-to-edit":"true"},)"
        R"("annotations":{"rbac.authorization.kubernetes.io/autoupdate":"true"}},)"
        R"("aggregationRule":{"clusterRoleSelectors":[)"))
        << object.json;
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
