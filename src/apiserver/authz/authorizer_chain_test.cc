#include "apiserver/authz/authorizer_chain.h"

#include <gtest/gtest.h>

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/forbidden.h"
#include "apiserver/authz/node_authorizer.h"
#include "apiserver/authz/rbac_for_test.h"

// Authorization in a cluster with the default roles: the whole chain, verb by resource by user.

namespace plimsoll::apiserver {
namespace {

class PolicyAuthorizer final : public Authorizer, public RuleResolver {
 public:
  PolicyAuthorizer() {
    RbacPolicyBuilder builder;
    PutDefaults(builder);
    builder.Put(BindingOf(
        R"({"metadata":{"name":"tenant","namespace":"team"},"roleRef":{"kind":"ClusterRole",)"
        R"("name":"edit"},"subjects":[{"kind":"Group","name":"team"}]})"));
    builder.Put(BindingOf(
        R"({"metadata":{"name":"robot","namespace":"team"},"roleRef":{"kind":"ClusterRole",)"
        R"("name":"view"},"subjects":[{"kind":"ServiceAccount","name":"robot"}]})"));
    policy_ = builder.Build();
  }
  Decision Authorize(const User& user, const RequestInfo& what) const override {
    return policy_->Authorize(user, what);
  }
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override {
    return policy_->RulesFor(user, namespace_);
  }

 private:
  std::shared_ptr<const RbacPolicy> policy_;
};

/// Node n1 needs the objects named `used`.
bool Needs(std::string_view node, NodeReferences::Kind, std::string_view, std::string_view name) {
  return node == "n1" && name == "used";
}

User Known(std::string name, std::vector<std::string> groups) {
  groups.emplace_back("system:authenticated");
  return UserNamed(std::move(name), std::move(groups));
}

const User kAnonymous = UserNamed("system:anonymous", {"system:unauthenticated"});
const User kNode = Known("system:node:n1", {"system:nodes"});
const User kRobot = Known("system:serviceaccount:team:robot",
                          {"system:serviceaccounts", "system:serviceaccounts:team"});
const User kTenant = Known("jane", {"team"});
const User kAdmin = Known("admin", {"system:masters"});

RequestInfo Selecting(RequestInfo what, std::string selector) {
  what.field_selector = std::move(selector);
  return what;
}

struct AccessCase {
  std::string name;
  RequestInfo what;
  // One letter per allowed user: (a)nonymous, (n)ode, service account (r)obot, (t)enant, (A)dmin.
  std::string want;
};

class AccessTest : public testing::TestWithParam<AccessCase> {};

TEST_P(AccessTest, IsAsUpstream) {
  static const PolicyAuthorizer kRbac;
  static const NodeAuthorizer kNodes(Needs, DefaultRulesOf("system:node"));
  const AuthorizerChain chain({&kNodes, &kRbac}, kRbac);
  std::string got;
  const std::pair<char, const User*> users[] = {
      {'a', &kAnonymous}, {'n', &kNode}, {'r', &kRobot}, {'t', &kTenant}, {'A', &kAdmin}};
  for (const auto& [letter, user] : users) {
    if (chain.Authorize(*user, GetParam().what).is_allowed) got += letter;
  }
  EXPECT_EQ(got, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, AccessTest,
    testing::ValuesIn<AccessCase>({
        {"Health", PathRequest("get", "/healthz"), "anrtA"},
        {"Version", PathRequest("get", "/version"), "anrtA"},
        {"Discovery", PathRequest("get", "/apis/apps/v1"), "nrtA"},
        {"Metrics", PathRequest("get", "/metrics"), "A"},
        {"PostHealth", PathRequest("post", "/healthz"), "A"},
        {"Whoami", Request("create", "authentication.k8s.io/selfsubjectreviews"), "nrtA"},
        {"CanI", Request("create", "authorization.k8s.io/selfsubjectaccessreviews"), "nrtA"},
        {"SubjectReview", Request("create", "authorization.k8s.io/subjectaccessreviews"), "nA"},
        {"TokenReview", Request("create", "authentication.k8s.io/tokenreviews"), "nA"},

        {"GetPod", Request("get", "/pods", "team", "p"), "rtA"},
        {"GetUsedPod", Request("get", "/pods", "team", "used"), "nrtA"},
        {"ListPods", Request("list", "/pods", "team"), "rtA"},
        {"ListAllPods", Request("list", "/pods"), "A"},
        {"ListPodsOfNode", Selecting(Request("list", "/pods"), "spec.nodeName=n1"), "nA"},
        {"WatchPodsOfNode", Selecting(Request("watch", "/pods"), "a=b,spec.nodeName=n1"), "nA"},
        {"ListPodsOfOther", Selecting(Request("list", "/pods"), "spec.nodeName=n2"), "A"},
        {"WatchUsedPod", Request("watch", "/pods", "team", "used"), "nrtA"},
        {"ListPodsNotOf", Selecting(Request("list", "/pods"), "spec.nodeName!=n1"), "A"},
        {"CreatePod", Request("create", "/pods", "team"), "ntA"},
        {"CreatePodElsewhere", Request("create", "/pods", "default"), "nA"},
        {"PatchPod", Request("patch", "/pods", "team", "p"), "tA"},
        {"DeletePod", Request("delete", "/pods", "team", "p"), "ntA"},
        {"DeletePods", Request("deletecollection", "/pods", "team"), "tA"},
        {"PodStatus", Request("patch", "/pods/status", "team", "p"), "nA"},
        {"GetPodStatus", Request("get", "/pods/status", "team", "p"), "rtA"},
        {"PodLog", Request("get", "/pods/log", "team", "p"), "rtA"},
        {"Evict", Request("create", "/pods/eviction", "team", "p"), "ntA"},
        {"Bind", Request("create", "/pods/binding", "team", "p"), "A"},

        {"GetSecret", Request("get", "/secrets", "team", "s"), "tA"},
        {"GetUsedSecret", Request("get", "/secrets", "default", "used"), "nA"},
        {"WatchUsedSecret", Request("watch", "/secrets", "default", "used"), "nA"},
        {"ListSecrets", Request("list", "/secrets", "default"), "A"},
        {"DeleteUsedSecret", Request("delete", "/secrets", "default", "used"), "A"},
        {"GetUsedMap", Request("get", "/configmaps", "default", "used"), "nA"},
        {"GetMap", Request("get", "/configmaps", "team", "m"), "rtA"},
        {"GetUsedClaim", Request("get", "/persistentvolumeclaims", "default", "used"), "nA"},
        {"PatchUsedClaim", Request("patch", "/persistentvolumeclaims", "default", "used"), "A"},
        {"ClaimStatus", Request("patch", "/persistentvolumeclaims/status", "default", "used"),
         "nA"},
        {"GetUsedVolume", Request("get", "/persistentvolumes", "", "used"), "nA"},
        {"GetVolume", Request("get", "/persistentvolumes", "", "v"), "A"},
        {"UsedAttachment", Request("get", "storage.k8s.io/volumeattachments", "", "used"), "nA"},
        {"UsedToken", Request("create", "/serviceaccounts/token", "default", "used"), "nA"},
        {"OtherToken", Request("create", "/serviceaccounts/token", "default", "x"), "A"},
        {"TokenInTeam", Request("create", "/serviceaccounts/token", "team", "x"), "tA"},
        {"UsedDevices", Request("get", "resource.k8s.io/resourceclaims", "default", "used"), "nA"},

        {"GetOwnNode", Request("get", "/nodes", "", "n1"), "nA"},
        {"WatchOwnNode", Request("watch", "/nodes", "", "n1"), "nA"},
        {"GetOtherNode", Request("get", "/nodes", "", "n2"), "A"},
        {"ListNodes", Request("list", "/nodes"), "A"},
        {"CreateNode", Request("create", "/nodes"), "nA"},
        {"PatchNode", Request("patch", "/nodes", "", "n1"), "nA"},
        {"NodeStatus", Request("patch", "/nodes/status", "", "n1"), "nA"},
        {"DeleteNode", Request("delete", "/nodes", "", "n1"), "A"},
        {"OwnLease", Request("update", "coordination.k8s.io/leases", "kube-node-lease", "n1"),
         "nA"},
        {"CreateLease", Request("create", "coordination.k8s.io/leases", "kube-node-lease"), "nA"},
        {"OtherLease", Request("update", "coordination.k8s.io/leases", "kube-node-lease", "n2"),
         "A"},
        {"LeaseElsewhere", Request("update", "coordination.k8s.io/leases", "kube-system", "n1"),
         "A"},
        {"ListLeases", Request("list", "coordination.k8s.io/leases", "kube-node-lease"), "A"},
        {"OwnCsiNode", Request("patch", "storage.k8s.io/csinodes", "", "n1"), "nA"},
        {"OtherCsiNode", Request("patch", "storage.k8s.io/csinodes", "", "n2"), "A"},
        {"ListCsiDrivers", Request("list", "storage.k8s.io/csidrivers"), "nA"},
        {"OwnSlices",
         Selecting(Request("list", "resource.k8s.io/resourceslices"), "spec.nodeName=n1"), "nA"},
        {"AllSlices", Request("list", "resource.k8s.io/resourceslices"), "A"},
        {"CreateSlice", Request("create", "resource.k8s.io/resourceslices"), "nA"},
        {"DeleteUsedSlice", Request("delete", "resource.k8s.io/resourceslices", "", "used"), "nA"},
        {"CreateEvents", Request("create", "/events", "default"), "nA"},

        {"Deployments", Request("update", "apps/deployments", "team", "d"), "tA"},
        {"Scale", Request("patch", "apps/deployments/scale", "team", "d"), "tA"},
        {"GetDeployments", Request("get", "apps/deployments", "team", "d"), "rtA"},
        {"Roles", Request("create", "rbac.authorization.k8s.io/roles", "team"), "A"},
        {"Namespaces", Request("list", "/namespaces"), "A"},
        {"OwnNamespace", Request("get", "/namespaces", "team", "team"), "rtA"},
        {"UnknownVerb", Request("frobnicate", "/pods", "team"), "A"},
        {"UnknownResource", Request("get", "acme.io/things", "team"), "A"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(AuthorizerChainTest, EachSaysWhy) {
  const PolicyAuthorizer rbac;
  const NodeAuthorizer nodes(Needs, {});
  const AuthorizerChain chain({&nodes, &rbac}, rbac);
  EXPECT_EQ(chain.Authorize(kAdmin, Request("get", "/pods")).reason, "");
  EXPECT_EQ(chain.Authorize(kTenant, Request("get", "/pods", "team", "p")).reason,
            R"(RBAC: allowed by RoleBinding "tenant/team" of ClusterRole "edit" to Group "team")");
  EXPECT_EQ(chain.Authorize(kNode, Request("get", "/nodes", "", "n2")).reason,
            "node 'n1' cannot read 'n2', only its own Node object");
  EXPECT_EQ(chain.Authorize(kNode, Request("list", "/nodes")).reason,
            "node 'n1' cannot read all nodes, only its own Node object");
  EXPECT_EQ(chain.Authorize(kNode, Request("get", "/secrets", "a", "s")).reason,
            "no relationship found between node 'n1' and this object");
  EXPECT_EQ(chain.Authorize(kNode, Request("list", "/secrets")).reason,
            "can only read namespaced object of this type");
  const User nameless = Known("system:node:", {"system:nodes"});
  EXPECT_EQ(chain.Authorize(nameless, Request("get", "/pods")).reason,
            "unknown node for user \"system:node:\"");
  const User pretender = Known("system:node:n1", {});
  EXPECT_FALSE(chain.Authorize(pretender, Request("get", "/nodes", "", "n1")).is_allowed);
}

TEST(AuthorizerChainTest, RulesOfANodeAreIncomplete) {
  const PolicyAuthorizer rbac;
  const NodeAuthorizer nodes(Needs, {});
  const AuthorizerChain chain({&nodes, &rbac}, rbac);
  EXPECT_TRUE(chain.RulesFor(kNode, "a").is_incomplete);
  EXPECT_EQ(chain.RulesFor(kNode, "a").ErrorText(),
            "node authorizer does not support user rule resolution");
  EXPECT_FALSE(chain.RulesFor(kTenant, "a").is_incomplete);
}

struct ForbiddenCase {
  RequestInfo what;
  std::string reason;
  std::string want;
};

TEST(ForbiddenTest, SaysWhatUpstreamSays) {
  const ForbiddenCase cases[] = {
      {Request("list", "/pods", "default"), "",
       R"(pods is forbidden: User "jo" cannot list resource "pods" in API group "" in the namespace "default")"},
      {Request("get", "apps/deployments/scale", "a", "web"), "",
       R"(deployments.apps "web" is forbidden: User "jo" cannot get resource "deployments/scale" in API group "apps" in the namespace "a")"},
      {Request("list", "/nodes"), "why",
       R"(nodes is forbidden: User "jo" cannot list resource "nodes" in API group "" at the cluster scope: why)"},
      {PathRequest("get", "/x?<y>"), "", R"(forbidden: User "jo" cannot get path "/x?&lt;y&gt;")"},
  };
  for (const ForbiddenCase& test : cases) {
    const api::StatusObject status = ForbiddenStatus(UserNamed("jo"), test.what, test.reason);
    EXPECT_EQ(status.code, 403);
    EXPECT_EQ(status.message, test.want);
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
