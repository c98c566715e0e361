#include "apiserver/review/review.h"

#include <gtest/gtest.h>

#include "apiserver/authn/token_file.h"
#include "apiserver/review/access_attributes.h"
#include "apiserver/review/review_json.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

/// Allows `jane` everything but delete, and records the questions.
class FakeJudge final : public Authorizer, public RuleResolver {
 public:
  Decision Authorize(const User& user, const RequestInfo& what) const override {
    last_user = user;
    last = what;
    if (user.name == "jane" && what.verb != "delete") return {true, "because"};
    return {false, ""};
  }
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override {
    ResolvedRules resolved;
    resolved.rules = {{{"get"}, {""}, {"pods"}, {"a"}, {}}, {{"get"}, {}, {}, {}, {"/healthz"}}};
    if (user.name == "broken") resolved.errors = {"e1", "e2"};
    resolved.is_incomplete = namespace_ == "odd";
    return resolved;
  }
  mutable User last_user;
  mutable RequestInfo last;
};

class ReviewTest : public testing::Test {
 protected:
  std::string Ask(std::string_view resource, std::string_view json, std::string name = "jane",
                  std::string_view namespace_ = "") {
    const auto document = codec::ParseJson(std::string(json));
    PL_ASSERT(document.has_value());
    User user;
    user.name = std::move(name);
    user.uid = "u";
    user.groups = {"g"};
    user.extra = {{"k", {"v"}}};
    const auto answer = AnswerReview(resource, namespace_, (*document)->root(), user,
                                     {tokens_, audiences_, judge_, judge_});
    return answer ? *answer : std::to_string(answer.error().code) + " " + answer.error().message;
  }

  TokenFile file_ = *TokenFile::Parse("f", "secret,jo,u1,devs\n");
  TokenUnion tokens_{{&file_}};
  std::vector<std::string> audiences_ = {"api"};
  FakeJudge judge_;
};

TEST_F(ReviewTest, Whoami) {
  EXPECT_EQ(Ask("selfsubjectreviews", "{}"),
            R"({"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
            R"("status":{"userInfo":{"username":"jane","uid":"u","groups":["g"],)"
            R"("extra":{"k":["v"]}}}})");
}

TEST_F(ReviewTest, CanI) {
  EXPECT_EQ(
      Ask("selfsubjectaccessreviews",
          R"({"spec":{"resourceAttributes":{"namespace":"a","verb":"get","group":"apps",)"
          R"("version":"v1","resource":"deployments","subresource":"scale","name":"web"}}})"),
      R"({"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},)"
      R"("spec":{"resourceAttributes":{"namespace":"a","verb":"get","group":"apps",)"
      R"("version":"v1","resource":"deployments","subresource":"scale","name":"web"}},)"
      R"("status":{"allowed":true,"reason":"because"}})");
  EXPECT_EQ(judge_.last.namespace_ + judge_.last.group + judge_.last.resource +
                judge_.last.subresource + judge_.last.name,
            "aappsdeploymentsscaleweb");
  EXPECT_EQ(judge_.last_user.groups, (std::vector<std::string>{"g"}));
  EXPECT_EQ(Ask("selfsubjectaccessreviews",
                R"({"spec":{"nonResourceAttributes":{"path":"/x","verb":"delete"}}})"),
            R"({"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1",)"
            R"("metadata":{},"spec":{"nonResourceAttributes":{"path":"/x","verb":"delete"}},)"
            R"("status":{"allowed":false}})");
  EXPECT_FALSE(judge_.last.is_resource_request);
  EXPECT_EQ(judge_.last.path, "/x");
}

TEST_F(ReviewTest, AnotherSubject) {
  EXPECT_EQ(Ask("subjectaccessreviews",
                R"({"spec":{"resourceAttributes":{"verb":"get","resource":"pods"},"user":"jane",)"
                R"("groups":["x"],"uid":"7","extra":{"s":["1"]}}})",
                "admin"),
            R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},)"
            R"("spec":{"resourceAttributes":{"verb":"get","resource":"pods"},"user":"jane",)"
            R"("groups":["x"],"uid":"7","extra":{"s":["1"]}},)"
            R"("status":{"allowed":true,"reason":"because"}})");
  EXPECT_EQ(judge_.last_user.uid, "7");
  EXPECT_EQ(judge_.last_user.extra.at("s"), (std::vector<std::string>{"1"}));
}

TEST_F(ReviewTest, Rules) {
  EXPECT_EQ(
      Ask("selfsubjectrulesreviews", R"({"metadata":{},"spec":{"namespace":"a"}})"),
      R"({"kind":"SelfSubjectRulesReview","apiVersion":"authorization.k8s.io/v1","metadata":{},)"
      R"("spec":{},"status":{"resourceRules":[{"verbs":["get"],"apiGroups":[""],)"
      R"("resources":["pods"],"resourceNames":["a"]}],"nonResourceRules":[{"verbs":["get"],)"
      R"("nonResourceURLs":["/healthz"]}],"incomplete":false}})");
  const std::string broken =
      Ask("selfsubjectrulesreviews", R"({"spec":{"namespace":"odd"}})", "broken");
  EXPECT_NE(broken.find(R"("incomplete":true,"evaluationError":"[e1, e2]"})"), std::string::npos);
  EXPECT_EQ(Ask("selfsubjectrulesreviews", "{}"), "400 no namespace on request");
}

TEST_F(ReviewTest, Tokens) {
  EXPECT_EQ(Ask("tokenreviews", R"({"spec":{"token":"secret"}})"),
            R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
            R"("spec":{"token":"secret"},"status":{"authenticated":true,"user":{"username":"jo",)"
            R"("uid":"u1","groups":["devs","system:authenticated"]},"audiences":["api"]}})");
  EXPECT_EQ(Ask("tokenreviews", R"({"spec":{"token":"wrong"}})"),
            R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
            R"("spec":{"token":"wrong"},"status":{"user":{},"error":"invalid bearer token"}})");
  EXPECT_EQ(Ask("tokenreviews", R"({"spec":{"token":""}})"),
            "400 token is required for TokenReview in authentication");
  EXPECT_EQ(Ask("tokenreviews", R"({"metadata":{"namespace":"x"},"spec":{"token":"t"}})"),
            "400 namespace is not allowed on this type: x");
}

TEST_F(ReviewTest, Local) {
  constexpr std::string_view kInA =
      R"({"spec":{"resourceAttributes":{"namespace":"a","verb":"get","resource":"pods"},"user":"jane"}})";
  EXPECT_NE(Ask("localsubjectaccessreviews", kInA, "x", "a").find(R"("allowed":true)"),
            std::string::npos);
  EXPECT_EQ(
      Ask("localsubjectaccessreviews", kInA, "x", "b"),
      R"(422 LocalSubjectAccessReview.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "a": must match metadata.namespace)");
  EXPECT_EQ(Ask("localsubjectaccessreviews", R"({"metadata":{"namespace":"c"}})", "x", "b"),
            "400 spec.resourceAttributes.namespace must match namespace: b");
}

struct InvalidCase {
  std::string name;
  std::string json;
  std::string want;
};
class InvalidReviewTest : public ReviewTest, public testing::WithParamInterface<InvalidCase> {};

TEST_P(InvalidReviewTest, IsRefused) {
  EXPECT_EQ(Ask("subjectaccessreviews", GetParam().json),
            R"(422 SubjectAccessReview.authorization.k8s.io "" is invalid: )" + GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, InvalidReviewTest,
    testing::ValuesIn<InvalidCase>({
        {"NoAttributes", R"({"spec":{"user":"x"}})",
         "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or "
         "resourceAttributes must be specified"},
        {"BothAttributes",
         R"({"spec":{"user":"x","resourceAttributes":{},"nonResourceAttributes":{"path":"/a","verb":"get"}}})",
         R"(spec.nonResourceAttributes: Invalid value: {"Path":"/a","Verb":"get"}: cannot be specified in combination with resourceAttributes)"},
        {"NoSubject", R"({"spec":{"resourceAttributes":{}}})",
         R"(spec.user: Invalid value: "": at least one of user or group must be specified)"},
        {"Metadata", R"({"metadata":{"name":"x"},"spec":{"user":"x","resourceAttributes":{}}})",
         R"(metadata: Invalid value: {"name":"x"}: must be empty)"},
        {"EmptySelector", R"({"spec":{"user":"x","resourceAttributes":{"labelSelector":{}}}})",
         "spec.resourceAttributes.labelSelector.requirements: Required value: when "
         "spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is "
         "required"},
        {"TwoSelectors",
         R"({"spec":{"user":"x","resourceAttributes":{"fieldSelector":{"rawSelector":"a=b","requirements":[{"key":"a","operator":"Exists"}]}}}})",
         R"(spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements)"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(AccessAttributesTest, ReadsFieldSelectors) {
  const auto selector = [](std::string_view json) {
    return ReadAttributes((*codec::ParseJson(R"({"resourceAttributes":{"fieldSelector":)" +
                                             std::string(json) + "}}"))
                              ->root())
        .field_selector;
  };
  EXPECT_EQ(selector(R"({"rawSelector":"a=b"})"), "a=b");
  EXPECT_EQ(selector(R"({"requirements":[{"key":"a","operator":"In","values":["b"]},)"
                     R"({"key":"c","operator":"NotIn","values":["d"]},)"
                     R"({"key":"e","operator":"In","values":["f,g=h"]},)"
                     R"({"key":"i","operator":"In","values":["j"]}]})"),
            "a=b,i=j");
}

TEST(ReviewJsonTest, MetadataThatSaysNothingIsEmpty) {
  const auto is_empty = [](std::string_view json, bool may_have_namespace) {
    return IsMetadataEmpty((*codec::ParseJson(std::string(json)))->root(), may_have_namespace);
  };
  EXPECT_TRUE(is_empty("{}", false));
  EXPECT_TRUE(is_empty(
      R"({"metadata":{"creationTimestamp":null,"name":"","labels":{},"managedFields":[1]}})",
      false));
  EXPECT_FALSE(is_empty(R"({"metadata":{"namespace":"a"}})", false));
  EXPECT_TRUE(is_empty(R"({"metadata":{"namespace":"a"}})", true));
}

}  // namespace
}  // namespace plimsoll::apiserver
