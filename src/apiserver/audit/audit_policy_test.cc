#include "apiserver/audit/audit_policy.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

std::string Policy(std::string_view rest) {
  return "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + std::string(rest);
}

struct RefusedPolicy {
  std::string name;
  std::string text;
  std::string message;
};

class RefusedPolicyTest : public testing::TestWithParam<RefusedPolicy> {};

TEST_P(RefusedPolicyTest, Says) {
  const auto policy = AuditPolicy::Parse(GetParam().text);
  ASSERT_FALSE(policy.has_value());
  EXPECT_EQ(policy.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedPolicyTest,
    testing::ValuesIn<RefusedPolicy>({
        {"NoDocument", "", "failed decoding: want one Policy, got 0 documents"},
        {"OtherVersion", "apiVersion: v1\nkind: Policy\nrules: [{level: None}]\n",
         "failed decoding: apiVersion: must be audit.k8s.io/v1, got \"v1\""},
        {"OtherKind", "apiVersion: audit.k8s.io/v1\nkind: Event\nrules: [{level: None}]\n",
         "failed decoding: kind: must be Policy, got \"Event\""},
        {"NoRules", Policy("rules: []\n"), "loaded illegal policy with 0 rules"},
        {"AList", "[]\n", "failed decoding: must be an object"},
        {"UnknownField", Policy("rules: [{level: None, verb: [get]}]\n"),
         "failed decoding: rules[0].verb: unknown field; did you mean verbs?"},
        {"WrongType", Policy("rules: [{level: None, users: jane}]\n"),
         "failed decoding: rules[0].users: must be a list of strings"},
        {"Twice", Policy("rules: [{level: None}]\nrules: []\n"),
         "failed decoding: duplicate field \"rules\""},
        {"NoLevel", Policy("rules: [{}]\n"), "rules[0].level: Required value"},
        {"BadLevel", Policy("rules: [{level: All}]\n"),
         "rules[0].level: Unsupported value: \"All\": supported values: \"None\", \"Metadata\", "
         "\"Request\", \"RequestResponse\""},
        {"BadStage", Policy("rules: [{level: None, omitStages: [Done]}]\n"),
         "rules[0].omitStages[0]: Invalid value: \"Done\": allowed stages are "
         "RequestReceived,ResponseStarted,ResponseComplete,Panic"},
        {"BadUrl", Policy("rules: [{level: None, nonResourceURLs: [x, /a*b, '*', /c*]}]\n"),
         "[rules[0].nonResourceURLs[0]: Invalid value: \"x\": non-resource URL rules must begin "
         "with a '/' character, rules[0].nonResourceURLs[1]: Invalid value: \"/a*b\": "
         "non-resource URL wildcards '*' must be the final character of the rule]"},
        {"BothWays", Policy("rules: [{level: None, nonResourceURLs: [/x], namespaces: [a]}]\n"),
         "rules[0].nonResourceURLs: Invalid value: [\"/x\"]: rules cannot apply to both regular "
         "resources and non-resource URLs"},
        {"BadGroup", Policy("rules: [{level: None, resources: [{group: a/v1}]}]\n"),
         "rules[0].resources.group: Invalid value: \"a/v1\": a lowercase RFC 1123 subdomain must "
         "consist of lower case alphanumeric characters, '-' or '.', and must start and end with "
         "an alphanumeric character (e.g. 'example.com', regex used for validation is "
         "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"},
        {"NamesWithoutResources",
         Policy("rules: [{level: None, resources: [{resourceNames: [a]}]}]\n"),
         "rules[0].resources.resourceNames: Invalid value: [\"a\"]: using resourceNames requires "
         "at least one resource"},
    }),
    [](const auto& test) { return test.param.name; });

/// A request: `verb group/resource/sub namespace name` or `get /path`.
struct Question {
  std::string verb;
  std::string group;
  std::string resource;
  std::string subresource;
  std::string namespace_;
  std::string name;
  std::string path;
};

RequestInfo InfoOf(const Question& question) {
  RequestInfo info;
  info.is_resource_request = question.path.empty();
  info.verb = question.verb;
  info.group = question.group;
  info.resource = question.resource;
  info.subresource = question.subresource;
  info.namespace_ = question.namespace_;
  info.name = question.name;
  info.path = question.path;
  return info;
}

struct RuleCase {
  std::string name;
  std::string rule;  // without the level
  Question question;
  bool is_matched = false;
};

class AuditRuleTest : public testing::TestWithParam<RuleCase> {};

TEST_P(AuditRuleTest, Matches) {
  const RuleCase& test = GetParam();
  const auto policy = AuditPolicy::Parse(Policy("rules: [{level: Request, " + test.rule + "}]\n"));
  ASSERT_TRUE(policy.has_value()) << policy.error().message;
  const User user{.name = "jane", .groups = {"devs", "system:authenticated"}};
  const AuditRule rule = policy->Evaluate(&user, InfoOf(test.question));
  EXPECT_EQ(rule.level == AuditLevel::Request, test.is_matched);
}

const Question kGetPod{.verb = "get", .resource = "pods", .namespace_ = "a", .name = "web"};
const Question kPodLog{
    .verb = "get", .resource = "pods", .subresource = "log", .namespace_ = "a", .name = "web"};
const Question kScale{.verb = "update",
                      .group = "apps",
                      .resource = "deployments",
                      .subresource = "scale",
                      .namespace_ = "a",
                      .name = "web"};
const Question kListNodes{.verb = "list", .resource = "nodes"};
const Question kHealth{.verb = "get", .path = "/healthz/etcd"};

INSTANTIATE_TEST_SUITE_P(
    All, AuditRuleTest,
    testing::ValuesIn<RuleCase>({
        {"User", "users: [joe, jane]", kGetPod, true},
        {"OtherUser", "users: [joe]", kGetPod, false},
        {"Group", "userGroups: [devs]", kHealth, true},
        {"OtherGroup", "userGroups: [ops]", kHealth, false},
        {"Verb", "verbs: [list, get]", kGetPod, true},
        {"OtherVerb", "verbs: [list]", kGetPod, false},
        {"Namespace", "namespaces: [a]", kGetPod, true},
        {"OtherNamespace", "namespaces: [b]", kGetPod, false},
        {"ClusterScope", "namespaces: ['']", kListNodes, true},
        {"NoPathIsInANamespace", "namespaces: ['']", kHealth, false},
        {"Resource", "resources: [{group: '', resources: [pods]}]", kGetPod, true},
        {"GroupAlone", "resources: [{group: apps}]", kScale, true},
        {"OtherGroupOfResources", "resources: [{group: batch}]", kScale, false},
        {"ResourceWithoutItsSubresource", "resources: [{resources: [pods]}]", kPodLog, false},
        {"Subresource", "resources: [{resources: [pods/log]}]", kPodLog, true},
        {"SubresourceWithoutItsResource", "resources: [{resources: [pods/log]}]", kGetPod, false},
        {"AllSubresources", "resources: [{resources: [pods/*]}]", kPodLog, true},
        {"AllSubresourcesAndItself", "resources: [{resources: [pods/*]}]", kGetPod, true},
        {"AnyResourcesSubresource", "resources: [{group: apps, resources: ['*/scale']}]", kScale,
         true},
        {"AnyResourcesOtherSubresource", "resources: [{group: apps, resources: ['*/status']}]",
         kScale, false},
        {"Everything", "resources: [{resources: ['*']}]", kPodLog, true},
        {"Name", "resources: [{resources: [pods], resourceNames: [web]}]", kGetPod, true},
        {"OtherName", "resources: [{resources: [pods], resourceNames: [db]}]", kGetPod, false},
        {"Url", "nonResourceURLs: [/healthz/etcd]", kHealth, true},
        {"UrlPrefix", "nonResourceURLs: [/healthz*]", kHealth, true},
        {"AnyUrl", "nonResourceURLs: ['*']", kHealth, true},
        {"OtherUrl", "nonResourceURLs: [/version]", kHealth, false},
        {"NoResourceIsAUrl", "nonResourceURLs: ['*']", kGetPod, false},
    }),
    [](const auto& test) { return test.param.name; });

TEST(AuditPolicyTest, TheFirstRuleThatMatchesDecides) {
  const auto policy = AuditPolicy::Parse(
      Policy("omitStages: [RequestReceived]\nomitManagedFields: true\nrules:\n"
             "- {level: None, users: [jane]}\n"
             "- {level: RequestResponse, userGroups: [ops], omitStages: [ResponseStarted], "
             "omitManagedFields: false}\n"));
  ASSERT_TRUE(policy.has_value()) << policy.error().message;
  const User jane{.name = "jane", .groups = {"ops"}};
  EXPECT_EQ(policy->Evaluate(&jane, InfoOf(kGetPod)).level, AuditLevel::None);
  const User joe{.name = "joe", .groups = {"ops"}};
  const AuditRule rule = policy->Evaluate(&joe, InfoOf(kGetPod));
  EXPECT_EQ(rule.level, AuditLevel::RequestResponse);
  EXPECT_FALSE(rule.omits_managed_fields);
  EXPECT_TRUE(rule.omitted_stages.Has(AuditStage::RequestReceived));
  EXPECT_TRUE(rule.omitted_stages.Has(AuditStage::ResponseStarted));
  EXPECT_FALSE(rule.omitted_stages.Has(AuditStage::ResponseComplete));
  // Without an authenticated user, rules about users match nothing.
  EXPECT_EQ(policy->Evaluate(nullptr, InfoOf(kGetPod)).level, AuditLevel::None);
}

TEST(AuditPolicyTest, WithoutAFileTheMetadataOfAllIsWritten) {
  const AuditRule rule = AuditPolicy::Default().Evaluate(nullptr, InfoOf(kHealth));
  EXPECT_EQ(rule.level, AuditLevel::Metadata);
  EXPECT_TRUE(rule.omitted_stages.Has(AuditStage::RequestReceived));
}

}  // namespace
}  // namespace plimsoll::apiserver
