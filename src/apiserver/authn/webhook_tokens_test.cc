#include "apiserver/authn/webhook_tokens.h"

#include <gtest/gtest.h>

#include "apiserver/authn/fake_remote_for_test.h"
#include "apiserver/authn/jwt.h"
#include "apiserver/authn/remote_review.h"
#include "apiserver/limits.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

class WebhookTokensTest : public testing::Test {
 protected:
  std::string Who(std::string_view token, std::vector<std::string> audiences = {"api"}) {
    const auto found = tokens.AuthenticateToken(token, audiences);
    if (!found) return "error: " + found.error().message;
    if (!found->has_value()) return "nobody";
    std::string who = (*found)->user.name + "/" + (*found)->user.uid;
    for (const std::string& group : (*found)->user.groups) who += " " + group;
    for (const auto& [key, values] : (*found)->user.extra) who += " " + key + "=" + values.at(0);
    return who;
  }

  VirtualClock clock{Instant(std::chrono::seconds(1'800'000'000))};
  MemorySink sink;
  Logger log{clock, sink};
  Result<net::ClientResponse> answer = JsonAnswer(
      R"({"status":{"authenticated":true,"user":{"username":"jane","uid":"7","groups":["a"],)"
      R"("extra":{"k":["v"]}}}})");
  std::shared_ptr<FakeRemote> remote =
      std::make_shared<FakeRemote>([this](const net::Request&) { return answer; });
  WebhookTokens tokens{
      {.server = RemoteServer{remote, "/check", {}, [](Instant) { return "own-token"; }},
       .version = "v1"},
      {"api"},
      clock,
      log};
};

TEST_F(WebhookTokensTest, AsksOnceInItsTimeAndAgainAfterIt) {
  EXPECT_EQ(Who("secret"), "jane/7 a k=v");
  EXPECT_EQ(Who("secret"), "jane/7 a k=v");
  ASSERT_EQ(remote->asked.size(), 1u);
  EXPECT_EQ(remote->asked[0].target, "/check");
  EXPECT_EQ(remote->asked[0].headers.Find("Authorization"), "Bearer own-token");
  EXPECT_EQ(remote->asked[0].body,
            R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1",)"
            R"("metadata":{"creationTimestamp":null},"spec":{"token":"secret",)"
            R"("audiences":["api"]},"status":{"user":{}}})");
  clock.Advance(std::chrono::minutes(2));
  EXPECT_EQ(Who("secret"), "jane/7 a k=v");
  EXPECT_EQ(remote->asked.size(), 2u);
}

TEST_F(WebhookTokensTest, RefusalsAreKeptAndFailuresAreNot) {
  answer = JsonAnswer(R"({"status":{"authenticated":false,"error":"no such token"}})");
  EXPECT_EQ(Who("bad"), "error: no such token");
  EXPECT_EQ(Who("bad"), "error: no such token");
  EXPECT_EQ(remote->asked.size(), 1u);
  answer = JsonAnswer("{}", 500);
  EXPECT_EQ(Who("broken"), "error: the webhook answered with status 500");
  answer = Fail(Reason::ServiceUnavailable, "gone");
  EXPECT_EQ(Who("broken"), "error: gone");
  EXPECT_EQ(remote->asked.size(), 4u);  // the last request was retried
}

TEST_F(WebhookTokensTest, StrangeAnswersLetNobodyIn) {
  for (const std::string_view strange :
       {"", "nonsense", "[]", "{}", R"({"status":null})", R"({"status":{"authenticated":"true"}})",
        R"({"status":{"authenticated":true}})", R"({"status":{"authenticated":1,"user":{}}})",
        R"({"status":{"authenticated":true,"user":{"username":""}}})",
        R"({"status":{"authenticated":true,"user":{"username":7}}})",
        R"({"status":{"authenticated":true,"user":{"username":"x"},"audiences":["other"]}})"}) {
    answer = JsonAnswer(std::string(strange));
    const std::string who = Who(strange);
    EXPECT_TRUE(who == "nobody" || who.starts_with("error: ")) << strange << ": " << who;
  }
}

TEST_F(WebhookTokensTest, AudiencesAreThoseThatBothMean) {
  EXPECT_EQ(Who("a", {"vault"}), "nobody");
  answer = JsonAnswer(
      R"({"status":{"authenticated":true,"user":{"username":"x"},"audiences":["vault"]}})");
  EXPECT_EQ(Who("b", {"vault"}), "x/");
}

TEST_F(WebhookTokensTest, AHugeTokenIsNotSent) {
  EXPECT_EQ(Who(std::string(kTokenBytesMax + 1, 'x')), "nobody");
  EXPECT_TRUE(remote->asked.empty());
}

}  // namespace
}  // namespace plimsoll::apiserver
