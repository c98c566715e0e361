#include "apiserver/authz/webhook_authorizer.h"

#include <gtest/gtest.h>

#include "apiserver/authn/fake_remote_for_test.h"
#include "apiserver/authz/authorizer_chain.h"
#include "apiserver/authz/no_rules_for_test.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

class WebhookAuthorizerTest : public testing::Test {
 protected:
  std::string Ask(const User& user, const RequestInfo& what) const {
    const Decision decision = authorizer.Authorize(user, what);
    std::string text = "no opinion";
    if (decision.is_allowed) text = "allowed";
    if (decision.is_denied) text = "denied";
    return decision.reason.empty() ? text : text + ": " + decision.reason;
  }
  static RequestInfo Pods(std::string name = {}) {
    RequestInfo what;
    what.is_resource_request = true;
    what.verb = "get";
    what.version = "v1";
    what.namespace_ = "ns";
    what.resource = "pods";
    what.name = std::move(name);
    return what;
  }

  VirtualClock clock{Instant(std::chrono::seconds(1'800'000'000))};
  MemorySink sink;
  Logger log{clock, sink};
  Result<net::ClientResponse> answer = JsonAnswer(R"({"status":{"allowed":true,"reason":"yes"}})");
  std::shared_ptr<FakeRemote> remote =
      std::make_shared<FakeRemote>([this](const net::Request&) { return answer; });
  AuthorizationOptions options{
      .modes = {"Webhook"}, .webhook = RemoteServer{remote, "/", {}, {}}, .webhook_version = "v1"};
  WebhookAuthorizer authorizer{options, clock, log};
  const User jane{.name = "jane", .uid = "7", .groups = {"a", "b"}, .extra = {{"k", {"v"}}}};
};

TEST_F(WebhookAuthorizerTest, TheReviewIsUpstreams) {
  EXPECT_EQ(SubjectAccessReviewJson("v1", jane, Pods("p")),
            R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1",)"
            R"("metadata":{"creationTimestamp":null},"spec":{"resourceAttributes":{)"
            R"("namespace":"ns","verb":"get","version":"v1","resource":"pods","name":"p"},)"
            R"("user":"jane","groups":["a","b"],"extra":{"k":["v"]},"uid":"7"},)"
            R"("status":{"allowed":false}})");
  RequestInfo path;
  path.verb = "get";
  path.path = "/metrics";
  EXPECT_EQ(SubjectAccessReviewJson("v1beta1", User{.name = "x", .groups = {"g"}}, path),
            R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1beta1",)"
            R"("metadata":{"creationTimestamp":null},"spec":{"nonResourceAttributes":{)"
            R"("path":"/metrics","verb":"get"},"user":"x","group":["g"]},)"
            R"("status":{"allowed":false}})");
}

TEST_F(WebhookAuthorizerTest, AnswersAreKeptForTheirTimes) {
  EXPECT_EQ(Ask(jane, Pods()), "allowed: yes");
  answer = JsonAnswer(R"({"status":{"allowed":false}})");
  EXPECT_EQ(Ask(jane, Pods()), "allowed: yes");
  clock.Advance(std::chrono::minutes(5));
  EXPECT_EQ(Ask(jane, Pods()), "no opinion");
  answer = JsonAnswer(R"({"status":{"allowed":false,"denied":true,"reason":"never"}})");
  EXPECT_EQ(Ask(jane, Pods()), "no opinion");
  clock.Advance(std::chrono::seconds(30));
  EXPECT_EQ(Ask(jane, Pods()), "denied: never");
  EXPECT_EQ(remote->asked.size(), 3u);
}

TEST_F(WebhookAuthorizerTest, FailuresAndStrangeAnswersAllowNothing) {
  int number = 0;
  const auto ask = [&](Result<net::ClientResponse> next) {
    answer = std::move(next);
    return Ask(jane, Pods("p" + std::to_string(number++)));
  };
  EXPECT_EQ(ask(Fail(Reason::Timeout, "slow")), "no opinion");
  for (const std::string_view strange :
       {"", "[]", "{}", R"({"status":{"allowed":"true"}})", R"({"status":{"allowed":1}})",
        R"({"status":{"allowed":true,"denied":true}})", R"({"status":[]})"}) {
    EXPECT_EQ(ask(JsonAnswer(std::string(strange))), "no opinion") << strange;
  }
  EXPECT_EQ(ask(JsonAnswer(R"({"status":{"allowed":true}})", 503)), "no opinion");
}

TEST_F(WebhookAuthorizerTest, UnderABanItDoesNotAsk) {
  const WaitBan ban;
  EXPECT_EQ(Ask(jane, Pods()), "no opinion");
  EXPECT_TRUE(ban.was_hit());
  EXPECT_TRUE(remote->asked.empty());
}

TEST_F(WebhookAuthorizerTest, TheChainObeysItsOrder) {
  const NoRules no_rules;
  const auto mode = [&](const char* name) {
    return ChainOf({.modes = {name}}, authorizer, authorizer, no_rules, &authorizer);
  };
  const AuthorizerChain allow = mode("AlwaysAllow");
  const AuthorizerChain deny = mode("AlwaysDeny");
  answer = JsonAnswer(R"({"status":{"allowed":false,"denied":true,"reason":"never"}})");
  EXPECT_FALSE(AuthorizerChain({&authorizer, &allow}, deny).Authorize(jane, Pods()).is_allowed);
  EXPECT_TRUE(AuthorizerChain({&allow, &authorizer}, deny).Authorize(jane, Pods()).is_allowed);
  const AuthorizerChain both =
      ChainOf({.modes = {"AlwaysDeny", "Webhook"}}, deny, deny, deny, &authorizer);
  const ResolvedRules rules = both.RulesFor(jane, "ns");
  EXPECT_TRUE(rules.is_incomplete);
  EXPECT_EQ(rules.ErrorText(), "webhook authorizer does not support user rule resolution");
}

TEST_F(WebhookAuthorizerTest, ModesThatMakeNoSenseAreRefused) {
  const auto is_good = [&](std::vector<std::string> modes, bool has_webhook) {
    AuthorizationOptions some{.modes = std::move(modes)};
    if (has_webhook) some.webhook = options.webhook;
    return CheckAuthorizationOptions(some).has_value();
  };
  EXPECT_TRUE(is_good({"Node", "RBAC"}, false));
  EXPECT_TRUE(is_good({"Node", "RBAC", "Webhook"}, true));
  EXPECT_TRUE(is_good({"AlwaysAllow"}, false));
  EXPECT_FALSE(is_good({}, false));
  EXPECT_FALSE(is_good({"RBAC", "RBAC"}, false));
  EXPECT_FALSE(is_good({"ABAC"}, false));
  EXPECT_FALSE(is_good({"Webhook"}, false));
  EXPECT_FALSE(is_good({"RBAC"}, true));
}

}  // namespace
}  // namespace plimsoll::apiserver
