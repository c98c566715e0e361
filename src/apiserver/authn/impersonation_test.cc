#include "apiserver/authn/impersonation.h"

#include <gtest/gtest.h>

#include "apiserver/authn/header_impersonation.h"
#include "apiserver/authn/wait_ban.h"
#include "apiserver/authz/authorizer_chain.h"
#include "apiserver/authz/no_rules_for_test.h"
#include "apiserver/authz/rbac_for_test.h"

namespace plimsoll::apiserver {
namespace {

class PolicyAuthorizer final : public Authorizer {
 public:
  explicit PolicyAuthorizer(std::shared_ptr<const RbacPolicy> policy)
      : policy_(std::move(policy)) {}
  Decision Authorize(const User& user, const RequestInfo& what) const override {
    return policy_->Authorize(user, what);
  }

 private:
  std::shared_ptr<const RbacPolicy> policy_;
};

PolicyAuthorizer MakeAuthorizer() {
  RbacPolicyBuilder builder;
  builder.Put(
      RoleOf(R"({"metadata":{"name":"all"},"rules":[{"verbs":["impersonate"],"apiGroups":["*"],)"
             R"("resources":["*"]}]})"));
  builder.Put(
      RoleOf(R"({"metadata":{"name":"some"},"rules":[{"verbs":["impersonate"],"apiGroups":[""],)"
             R"("resources":["users","serviceaccounts"]},{"verbs":["impersonate"],)"
             R"("apiGroups":["authentication.k8s.io"],"resources":["userextras/scopes"],)"
             R"("resourceNames":["view"]}]})"));
  for (const std::string name : {"all", "some"}) {
    builder.Put(BindingOf(R"({"metadata":{"name":")" + name +
                          R"("},"roleRef":{"kind":"ClusterRole","name":")" + name +
                          R"("},"subjects":[{"kind":"User","name":")" + name + R"("}]})"));
  }
  return PolicyAuthorizer(builder.Build());
}

std::string Show(const User& user) {
  std::string text = user.name + "|" + user.uid + "|" + QuoteList(user.groups);
  for (const auto& [key, values] : user.extra) text += "|" + key + "=" + QuoteList(values);
  return text;
}

struct Case {
  std::string name;
  std::string by;
  net::Headers headers;
  std::string want;  // the user, or code and message
};

class ImpersonationTest : public testing::TestWithParam<Case> {};

TEST_P(ImpersonationTest, Becomes) {
  const Case& test = GetParam();
  const auto answer = Impersonate(test.headers, UserNamed(test.by), MakeAuthorizer());
  if (!answer) {
    EXPECT_EQ(std::to_string(answer.error().code) + " " + answer.error().message, test.want);
  } else {
    EXPECT_EQ(answer->has_value() ? Show(**answer) : "nobody", test.want);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ImpersonationTest,
    testing::ValuesIn<Case>({
        {"NobodyElse", "some", {{"Accept", "x"}, {"Impersonate-User", ""}}, "nobody"},
        {"User", "some", {{"Impersonate-User", "jane"}}, R"(jane||["system:authenticated"])"},
        {"Everything",
         "all",
         {{"impersonate-user", "jane"},
          {"Impersonate-Group", "a"},
          {"Impersonate-Group", "b"},
          {"Impersonate-Uid", "u-1"},
          {"Impersonate-Extra-Acme.com%2fProject", "p1"},
          {"Impersonate-Extra-Acme.com%2FProject", "p2"},
          {"Impersonate-Extra-Odd%2", "x"}},
         R"(jane|u-1|["a" "b" "system:authenticated"]|acme.com/project=["p1" "p2"]|odd%2=["x"])"},
        {"Anonymous",
         "all",
         {{"Impersonate-User", "system:anonymous"}},
         R"(system:anonymous||["system:unauthenticated"])"},
        {"StandingGroupOnce",
         "all",
         {{"Impersonate-User", "jane"}, {"Impersonate-Group", "system:unauthenticated"}},
         R"(jane||["system:unauthenticated"])"},
        {"ServiceAccount",
         "some",
         {{"Impersonate-User", "system:serviceaccount:ns:robot"}},
         R"(system:serviceaccount:ns:robot||["system:serviceaccounts" "system:serviceaccounts:ns" "system:authenticated"])"},
        {"ServiceAccountWithGroups",
         "all",
         {{"Impersonate-User", "system:serviceaccount:ns:robot"}, {"Impersonate-Group", "g"}},
         R"(system:serviceaccount:ns:robot||["g" "system:authenticated"])"},
        {"NoServiceAccountsName",
         "some",
         {{"Impersonate-User", "system:serviceaccount:ns:UPPER"}},
         R"(system:serviceaccount:ns:UPPER||["system:authenticated"])"},
        {"AllowedExtra",
         "some",
         {{"Impersonate-User", "jane"}, {"Impersonate-Extra-Scopes", "view"}},
         R"(jane||["system:authenticated"]|scopes=["view"])"},
        {"ForbiddenExtra",
         "some",
         {{"Impersonate-User", "jane"}, {"Impersonate-Extra-Scopes", "edit"}},
         R"(403 userextras.authentication.k8s.io "edit" is forbidden: User "some" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope)"},
        {"ForbiddenUser",
         "none",
         {{"Impersonate-User", "jane"}},
         R"(403 users "jane" is forbidden: User "none" cannot impersonate resource "users" in API group "" at the cluster scope)"},
        {"ForbiddenServiceAccount",
         "none",
         {{"Impersonate-User", "system:serviceaccount:ns:robot"}},
         R"(403 serviceaccounts "robot" is forbidden: User "none" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns")"},
        {"ForbiddenGroup",
         "some",
         {{"Impersonate-User", "jane"}, {"Impersonate-Group", "system:masters"}},
         R"(403 groups "system:masters" is forbidden: User "some" cannot impersonate resource "groups" in API group "" at the cluster scope)"},
        {"ForbiddenUid",
         "some",
         {{"Impersonate-User", "jane"}, {"Impersonate-Uid", "u"}},
         R"(403 uids.authentication.k8s.io "u" is forbidden: User "some" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope)"},
        {"GroupsAlone",
         "all",
         {{"Impersonate-Group", "a"}},
         "500 Internal error occurred: requested [{Group  a    }] without impersonating a user"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(HeaderImpersonationTest, TheRequestGoesOnAsTheOther) {
  const PolicyAuthorizer authorizer = MakeAuthorizer();
  const HeaderImpersonation impersonation(authorizer);
  ApiRequest request;
  request.user = UserNamed("all");
  request.http.headers = {{"Impersonate-User", "jane"},
                          {"Impersonate-Extra-A", "x"},
                          {"impersonate-group", "g"},
                          {"Accept", "y"}};
  ASSERT_TRUE(impersonation.Apply(request).has_value());
  EXPECT_EQ(request.user.name, "jane");
  EXPECT_EQ(request.impersonator->name, "all");
  EXPECT_EQ(std::ranges::distance(request.http.headers), 1);
}

TEST(HeaderImpersonationTest, MostRequestsStayWhoTheyAre) {
  const PolicyAuthorizer authorizer = MakeAuthorizer();
  ApiRequest request;
  request.user = UserNamed("none");
  ASSERT_TRUE(HeaderImpersonation(authorizer).Apply(request).has_value());
  EXPECT_EQ(request.user.name, "none");
  EXPECT_FALSE(request.impersonator.has_value());
  request.http.headers = {{"Impersonate-User", "jane"}};
  EXPECT_FALSE(HeaderImpersonation(authorizer).Apply(request).has_value());
  EXPECT_EQ(request.user.name, "none");
}

/// Remote authorizer without an opinion.
class RemoteAuthorizer final : public Authorizer {
 public:
  Decision Authorize(const User&, const RequestInfo&) const override {
    if (!WaitBan::Forbids()) ++asked;
    return {};
  }
  mutable int asked = 0;
};

TEST(HeaderImpersonationTest, ARequestKeepsItsHeadersUntilARemoteAuthorizerHasAnswered) {
  const RemoteAuthorizer remote;
  const NoRules no_rules;
  const AuthorizerChain everything =
      ChainOf({.modes = {"AlwaysAllow"}}, remote, remote, no_rules, &remote);
  const AuthorizerChain chain({&remote, &everything}, everything);
  const HeaderImpersonation impersonation(chain);
  ApiRequest request;
  request.user.name = "jane";
  request.http.headers.Add("Impersonate-User", "viewer");
  {
    const WaitBan ban;
    EXPECT_FALSE(chain.Authorize(request.user, {}).is_allowed)
        << "the remote authorizer could still deny";
    EXPECT_FALSE(impersonation.Apply(request).has_value());
    EXPECT_TRUE(ban.was_hit());
  }
  EXPECT_EQ(request.user.name, "jane");
  EXPECT_EQ(request.http.headers.Find("Impersonate-User"), "viewer");
  EXPECT_TRUE(impersonation.Apply(request).has_value());
  EXPECT_EQ(remote.asked, 1);
  EXPECT_EQ(request.user.name, "viewer");
  EXPECT_EQ(request.impersonator->name, "jane");
  EXPECT_EQ(request.http.headers.Find("Impersonate-User"), "");
}

}  // namespace
}  // namespace plimsoll::apiserver
