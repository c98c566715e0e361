#include "apiserver/authz/policy_rule.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

PolicyRules Rules(std::string_view json) {
  const auto document = codec::ParseJson(std::string(json));
  EXPECT_TRUE(document.has_value());
  return ReadPolicyRules(&(*document)->root());
}

RequestInfo Ask(std::string verb, std::string group, std::string resource,
                std::string subresource = "", std::string name = "") {
  RequestInfo what;
  what.is_resource_request = true;
  what.verb = std::move(verb);
  what.group = std::move(group);
  what.resource = std::move(resource);
  what.subresource = std::move(subresource);
  what.name = std::move(name);
  return what;
}

RequestInfo AskPath(std::string verb, std::string path) {
  RequestInfo what;
  what.verb = std::move(verb);
  what.path = std::move(path);
  return what;
}

struct AllowCase {
  std::string name;
  std::string rule;
  RequestInfo what;
  bool want;
};

class PolicyRuleTest : public testing::TestWithParam<AllowCase> {};

TEST_P(PolicyRuleTest, Allows) {
  const PolicyRules rules = Rules("[" + GetParam().rule + "]");
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(Allows(rules[0], GetParam().what), GetParam().want);
}

constexpr const char* kPods = R"({"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]})";
constexpr const char* kAll = R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]})";
constexpr const char* kScale = R"({"verbs":["get"],"apiGroups":["*"],"resources":["*/scale"]})";
constexpr const char* kLog = R"({"verbs":["get"],"apiGroups":[""],"resources":["pods/log"]})";
constexpr const char* kNamed =
    R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["a","b"]})";
constexpr const char* kPaths = R"({"verbs":["get"],"nonResourceURLs":["/healthz","/logs/*"]})";
constexpr const char* kAnyPath = R"({"verbs":["*"],"nonResourceURLs":["*"]})";

INSTANTIATE_TEST_SUITE_P(
    All, PolicyRuleTest,
    testing::ValuesIn<AllowCase>({
        {"Verb", kPods, Ask("list", "", "pods"), true},
        {"AnotherVerb", kPods, Ask("watch", "", "pods"), false},
        {"AnotherGroup", kPods, Ask("list", "apps", "pods"), false},
        {"AnotherResource", kPods, Ask("list", "", "nodes"), false},
        {"NoSubresourceOfIt", kPods, Ask("get", "", "pods", "log"), false},
        {"NoPathByResourceRule", kAll, AskPath("get", "/healthz"), false},
        {"AllOfAll", kAll, Ask("escalate", "x.io", "things", "status", "n"), true},
        {"AnyScale", kScale, Ask("get", "apps", "deployments", "scale"), true},
        {"AnyScaleIsNoResource", kScale, Ask("get", "apps", "deployments"), false},
        {"AnyScaleIsNoStatus", kScale, Ask("get", "apps", "deployments", "status"), false},
        {"Subresource", kLog, Ask("get", "", "pods", "log"), true},
        {"SubresourceOfAnother", kLog, Ask("get", "", "nodes", "log"), false},
        {"TailIsNotEnough", kLog, Ask("get", "", "ods", "log"), false},
        {"SubresourceRuleIsNotTheResource", kLog, Ask("get", "", "pods"), false},
        {"Name", kNamed, Ask("get", "", "pods", "", "b"), true},
        {"AnotherName", kNamed, Ask("get", "", "pods", "", "c"), false},
        {"NoName", kNamed, Ask("get", "", "pods"), false},
        {"Path", kPaths, AskPath("get", "/healthz"), true},
        {"LongerPath", kPaths, AskPath("get", "/healthz/etcd"), false},
        {"UnderPath", kPaths, AskPath("get", "/logs/a/b"), true},
        {"PathItselfIsNotUnderIt", kPaths, AskPath("get", "/logs"), false},
        {"PathVerb", kPaths, AskPath("post", "/healthz"), false},
        {"AnyPath", kAnyPath, AskPath("put", "/x"), true},
        {"NoResourceByPathRule", kAnyPath, Ask("get", "", "pods"), false},
    }),
    [](const auto& test) { return test.param.name; });

std::string DescribeAll(const PolicyRules& rules) {
  std::string out;
  for (const PolicyRule& rule : rules) out += Describe(rule) + "\n";
  return out;
}

TEST(CompactTest, JoinsTheVerbsOfRulesThatDifferInNothingElse) {
  const PolicyRules parts = Rules(
      R"([{"verbs":["get"],"apiGroups":["a"],"resources":["x"]},)"
      R"({"verbs":["get"],"apiGroups":["a"],"resources":["x"],"resourceNames":["n"]},)"
      R"({"verbs":["list"],"apiGroups":["a"],"resources":["x"]},)"
      R"({"verbs":["get"],"nonResourceURLs":["/a"]},{"verbs":["put"],"nonResourceURLs":["/a"]}])");
  EXPECT_EQ(DescribeAll(Compact(parts)),
            "{APIGroups:[\"a\"], Resources:[\"x\"], Verbs:[\"get\" \"list\"]}\n"
            "{APIGroups:[\"a\"], Resources:[\"x\"], ResourceNames:[\"n\"], Verbs:[\"get\"]}\n"
            "{NonResourceURLs:[\"/a\"], Verbs:[\"get\"]}\n"
            "{NonResourceURLs:[\"/a\"], Verbs:[\"put\"]}\n");
}

TEST(CompactTest, RulesForDifferentNamesStayApart) {
  const auto rule = [](std::string verb, std::string name) {
    return R"({"verbs":[")" + verb +
           R"("],"apiGroups":["a"],"resources":["x"],"resourceNames":[")" + name + R"("]})";
  };
  // Short names and names that need memory of their own.
  for (const std::string& padding : {std::string(), std::string(100, 'n')}) {
    const PolicyRules parts =
        Rules("[" + rule("get", "a" + padding) + "," + rule("delete", "b" + padding) + "," +
              rule("list", "a" + padding) + "]");
    const PolicyRules compact = Compact(parts);
    ASSERT_EQ(compact.size(), 2U);
    EXPECT_EQ(compact[0].verbs, (std::vector<std::string>{"get", "list"}));
    EXPECT_EQ(compact[1].verbs, std::vector<std::string>{"delete"});
  }
}

TEST(PolicyRuleJsonTest, WritesWhatItRead) {
  const PolicyRules rules = Rules(std::string("[") + kNamed + "," + kPaths + "]");
  codec::Document document;
  codec::Value list = document.NewArray();
  for (const PolicyRule& rule : rules) document.Append(list, WritePolicyRule(rule, document));
  EXPECT_EQ(ReadPolicyRules(&list), rules);
}

}  // namespace
}  // namespace plimsoll::apiserver
