#include "apiserver/fairness/flow_matcher.h"

#include <gtest/gtest.h>

#include <set>

#include "apiserver/bootstrap/flow_control.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

RequestInfo OnResource(std::string verb, std::string group, std::string resource,
                       std::string namespace_ = {}, std::string subresource = {}) {
  RequestInfo info;
  info.is_resource_request = true;
  info.verb = std::move(verb);
  info.group = std::move(group);
  info.resource = std::move(resource);
  info.namespace_ = std::move(namespace_);
  info.subresource = std::move(subresource);
  return info;
}

RequestInfo OnPath(std::string path, std::string verb = "get") {
  RequestInfo info;
  info.verb = std::move(verb);
  info.path = std::move(path);
  return info;
}

User FlowUser(std::string name, std::vector<std::string> groups = {"system:authenticated"}) {
  return {.name = std::move(name), .uid = {}, .groups = std::move(groups), .extra = {}};
}

struct MatchCase {
  std::string name;
  FlowRule rule;
  User user;
  RequestInfo what;
  bool want;
};

using Kind = SubjectConfig::Kind;
const ResourceRule kPodsRule{{"get", "list"}, {""}, {"pods", "pods/status"}, {"a", "b"}, false};
const ResourceRule kAnyRule{{"*"}, {"*"}, {"*"}, {"*"}, true};
const SubjectConfig kJane{Kind::User, "jane", ""};

class FlowMatchTest : public testing::TestWithParam<MatchCase> {};

TEST_P(FlowMatchTest, MatchesOrNot) {
  FlowConfig flow;
  flow.rules.push_back(GetParam().rule);
  EXPECT_EQ(MatchesFlow(flow, GetParam().user, GetParam().what), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, FlowMatchTest,
                         testing::ValuesIn<MatchCase>({
                             {"User",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("jane"),
                              OnResource("get", "", "pods", "a"),
                              true},
                             {"OtherUser",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("joe"),
                              OnResource("get", "", "pods", "a"),
                              false},
                             {"AnyUser",
                              {{{Kind::User, "*", ""}}, {kPodsRule}, {}},
                              FlowUser("joe"),
                              OnResource("get", "", "pods", "b"),
                              true},
                             {"Verb",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("jane"),
                              OnResource("delete", "", "pods", "a"),
                              false},
                             {"Group",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("jane"),
                              OnResource("get", "apps", "pods", "a"),
                              false},
                             {"Subresource",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("jane"),
                              OnResource("get", "", "pods", "a", "status"),
                              true},
                             {"OtherSubresource",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("jane"),
                              OnResource("get", "", "pods", "a", "log"),
                              false},
                             {"OtherNamespace",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("jane"),
                              OnResource("get", "", "pods", "c"),
                              false},
                             {"ClusterScope",
                              {{kJane}, {kPodsRule}, {}},
                              FlowUser("jane"),
                              OnResource("list", "", "pods"),
                              false},
                             {"AnyClusterScope",
                              {{kJane}, {kAnyRule}, {}},
                              FlowUser("jane"),
                              OnResource("list", "x", "y"),
                              true},
                             {"NoPathForResources",
                              {{kJane}, {kAnyRule}, {}},
                              FlowUser("jane"),
                              OnPath("/healthz"),
                              false},
                             {"Path",
                              {{kJane}, {}, {{{"get"}, {"/healthz"}}}},
                              FlowUser("jane"),
                              OnPath("/healthz"),
                              true},
                             {"PathBelow",
                              {{kJane}, {}, {{{"get"}, {"/healthz"}}}},
                              FlowUser("jane"),
                              OnPath("/healthz/x"),
                              false},
                             {"PathPrefix",
                              {{kJane}, {}, {{{"get"}, {"/debug/*"}}}},
                              FlowUser("jane"),
                              OnPath("/debug/x/y"),
                              true},
                             {"PathPrefixItself",
                              {{kJane}, {}, {{{"get"}, {"/debug/*"}}}},
                              FlowUser("jane"),
                              OnPath("/debugger"),
                              false},
                             {"MemberOfGroup",
                              {{{Kind::Group, "g", ""}}, {kAnyRule}, {}},
                              FlowUser("x", {"f", "g"}),
                              OnResource("get", "", "pods"),
                              true},
                             {"NotInGroup",
                              {{{Kind::Group, "g", ""}}, {kAnyRule}, {}},
                              FlowUser("x", {"f"}),
                              OnResource("get", "", "pods"),
                              false},
                             {"AnyGroup",
                              {{{Kind::Group, "*", ""}}, {kAnyRule}, {}},
                              FlowUser("x", {}),
                              OnResource("get", "", "pods"),
                              false},
                             {"Account",
                              {{{Kind::ServiceAccount, "sa", "ns"}}, {kAnyRule}, {}},
                              FlowUser("system:serviceaccount:ns:sa"),
                              OnResource("get", "", "pods"),
                              true},
                             {"AccountOfOtherNamespace",
                              {{{Kind::ServiceAccount, "*", "n"}}, {kAnyRule}, {}},
                              FlowUser("system:serviceaccount:ns:sa"),
                              OnResource("get", "", "pods"),
                              false},
                             {"AnyAccount",
                              {{{Kind::ServiceAccount, "*", "ns"}}, {kAnyRule}, {}},
                              FlowUser("system:serviceaccount:ns:sa"),
                              OnResource("get", "", "pods"),
                              true},
                         }),
                         [](const auto& each) { return each.param.name; });

/// Returns the name of the default schema that matches the request.
std::string DefaultSchemaOf(const User& user, const RequestInfo& what) {
  std::vector<FlowConfig> flows;
  for (const auto& objects : {MandatoryFlowControl(), SuggestedFlowControl()}) {
    for (const DefaultObject& object : objects) {
      if (object.resource != "flowschemas") continue;
      flows.push_back(ReadFlowConfig((*codec::ParseJson(object.json))->root()));
    }
  }
  std::ranges::sort(flows, {}, &FlowConfig::precedence);
  for (const FlowConfig& flow : flows) {
    if (MatchesFlow(flow, user, what)) return flow.name;
  }
  return "";
}

TEST(DefaultFlowSchemasTest, TakeTheRequestsThatUpstreamsTake) {
  const User node = FlowUser("system:node:n1", {"system:nodes", "system:authenticated"});
  const User scheduler = FlowUser("system:kube-scheduler");
  const User account =
      FlowUser("system:serviceaccount:shop:web",
               {"system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"});
  const User anonymous = FlowUser("system:anonymous", {"system:unauthenticated"});
  const User admin = FlowUser("root", {"system:masters", "system:authenticated"});
  EXPECT_EQ(DefaultSchemaOf(admin, OnResource("get", "", "pods")), "exempt");
  EXPECT_EQ(DefaultSchemaOf(anonymous, OnPath("/healthz")), "probes");
  EXPECT_EQ(DefaultSchemaOf(anonymous, OnPath("/version")), "global-default");
  EXPECT_EQ(DefaultSchemaOf(node, OnResource("update", "", "nodes", "", "status")),
            "system-node-high");
  EXPECT_EQ(DefaultSchemaOf(node, OnResource("update", "coordination.k8s.io", "leases", "x")),
            "system-node-high");
  EXPECT_EQ(DefaultSchemaOf(node, OnResource("list", "", "pods")), "system-nodes");
  EXPECT_EQ(DefaultSchemaOf(scheduler, OnResource("update", "coordination.k8s.io", "leases", "x")),
            "system-leader-election");
  EXPECT_EQ(DefaultSchemaOf(scheduler, OnResource("list", "", "pods")), "kube-scheduler");
  EXPECT_EQ(DefaultSchemaOf(FlowUser("system:serviceaccount:kube-system:x"),
                            OnResource("list", "", "pods")),
            "kube-system-service-accounts");
  EXPECT_EQ(DefaultSchemaOf(account, OnResource("list", "", "pods")), "service-accounts");
  EXPECT_EQ(DefaultSchemaOf(FlowUser("jane"), OnResource("list", "", "pods")), "global-default");
}

TEST(DistinguisherTest, TellsFlowsApart) {
  FlowConfig flow;
  const User jane = FlowUser("jane");
  const RequestInfo pods = OnResource("get", "", "pods", "shop");
  EXPECT_EQ(DistinguisherOf(flow, jane, pods), "");
  flow.distinguisher = Distinguisher::ByUser;
  EXPECT_EQ(DistinguisherOf(flow, jane, pods), "jane");
  flow.distinguisher = Distinguisher::ByNamespace;
  EXPECT_EQ(DistinguisherOf(flow, jane, pods), "shop");
}

TEST(HashFlowTest, DependsOnEveryPart) {
  const std::set<std::uint64_t> hashes = {HashFlow("a", "b", 1), HashFlow("ab", "", 1),
                                          HashFlow("", "ab", 1), HashFlow("a", "b", 2),
                                          HashFlow("a", "c", 1)};
  EXPECT_EQ(hashes.size(), 5U);
  EXPECT_EQ(HashFlow("a", "b", 1), HashFlow("a", "b", 1));
}

}  // namespace
}  // namespace plimsoll::apiserver
