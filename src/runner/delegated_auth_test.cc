#include "runner/delegated_auth.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/fake_server_for_test.h"
#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

/// An API server that knows jane's token "good"; jane may read /metrics.
class DelegatedAuthTest : public testing::Test {
 protected:
  net::Response Review(const net::Request& request) {
    asked_.push_back(request.target);
    if (is_down_)
      return client::JsonResponse(R"({"kind":"Status","apiVersion":"v1","code":500})", 500);
    if (request.target.contains("tokenreviews")) {
      return client::JsonResponse(
          request.body.contains(R"("token":"good")")
              ? R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
                R"("spec":{},"status":{"authenticated":true,"user":{"username":"jane","uid":"7",)"
                R"("groups":["a","system:authenticated"],"extra":{"k":["v"]}}}})"
              : R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
                R"("spec":{},"status":{"authenticated":false}})",
          201);
    }
    reviewed_ = request.body;
    const bool is_jane = request.body.contains(R"("user":"jane")");
    return client::JsonResponse(
        std::string(R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1",)"
                    R"("metadata":{},"spec":{},"status":{"allowed":)") +
            (is_jane ? "true" : "false") + "}}",
        201);
  }

  /// Returns 0 if the request is allowed, otherwise the code of the error.
  int Check(const net::Request& request, std::string_view path = "/metrics") {
    const api::Answer<void> answer = auth_.Check(request, path);
    if (answer) return 0;
    message_ = answer.error().message;
    return answer.error().code;
  }
  static net::Request WithToken(std::string token) {
    return {.method = "GET", .headers = {{"Authorization", "Bearer " + std::move(token)}}};
  }

  std::vector<std::string> asked_;
  std::string reviewed_;
  std::string message_;
  bool is_down_ = false;
  client::ManualClock clock_;
  client::FakeServer server_{[this](const net::Request& request) { return Review(request); }};
  client::Client client_{server_.Connect(), clock_};
  DelegatedAuth auth_{{client_, client_}, clock_, {"/healthz", "/open/*"}};
};

TEST_F(DelegatedAuthTest, OpenPathsNeedNoReview) {
  EXPECT_EQ(Check({.method = "GET"}, "/healthz"), 0);
  EXPECT_EQ(Check({.method = "GET"}, "/open/page"), 0);
  EXPECT_TRUE(asked_.empty());
  EXPECT_EQ(Check({.method = "GET"}, "/healthz/x"), 403);
  EXPECT_EQ(Check({.method = "GET"}, "/opening"), 403);
}

TEST_F(DelegatedAuthTest, TheApiServerSaysWhoMayRead) {
  EXPECT_EQ(Check({.method = "GET"}), 403);
  EXPECT_EQ(message_, R"(forbidden: User "system:anonymous" cannot get path "/metrics")");
  EXPECT_EQ(Check(WithToken("bad")), 401);
  EXPECT_EQ(Check(WithToken("good")), 0);
  EXPECT_TRUE(reviewed_.contains(
      R"("user":"jane","groups":["a","system:authenticated"],)"
      R"("nonResourceAttributes":{"path":"/metrics","verb":"get"},"uid":"7","extra":{"k":["v"]})"))
      << reviewed_;
}

TEST_F(DelegatedAuthTest, ATokenThatIsTooLongIsNotReviewed) {
  EXPECT_EQ(Check(WithToken(std::string(kTokenBytesMax + 1, 'x'))), 401);
  EXPECT_TRUE(asked_.empty());
  EXPECT_EQ(Check(WithToken(std::string(kTokenBytesMax, 'x'))), 401);
  EXPECT_EQ(asked_.size(), 1u);
}

TEST_F(DelegatedAuthTest, ForgetsTheTokenThatWasUsedLeastRecently) {
  for (std::size_t i = 0; i <= kKnownAnswersMax; ++i) Check(WithToken(std::to_string(i)));
  EXPECT_EQ(asked_.size(), kKnownAnswersMax + 1);
  Check(WithToken("1"));
  EXPECT_EQ(asked_.size(), kKnownAnswersMax + 1);
  Check(WithToken("0"));
  EXPECT_EQ(asked_.size(), kKnownAnswersMax + 2);
}

TEST_F(DelegatedAuthTest, ACertificateSaysWhoAsks) {
  net::Request request{.method = "GET"};
  request.certificate = net::PeerCertificate{"joe", {"team"}, ""};
  EXPECT_EQ(Check(request), 403);
  EXPECT_EQ(message_, R"(forbidden: User "joe" cannot get path "/metrics")");
  request.certificate->common_name = "jane";
  EXPECT_EQ(Check(request), 0);
  asked_.clear();
  request.certificate->organizations = {"system:masters"};
  EXPECT_EQ(Check(request), 0);
  EXPECT_TRUE(asked_.empty()) << "administrators need no review";

  net::Request bad{.method = "GET", .is_certificate_bad = true};
  EXPECT_EQ(Check(bad), 401);
}

TEST_F(DelegatedAuthTest, AnswersAreKeptForTenSeconds) {
  for (const std::string token : {"good", "bad"}) {
    const int code = Check(WithToken(token));
    const std::size_t count = asked_.size();
    clock_.Advance(std::chrono::seconds(9));
    EXPECT_EQ(Check(WithToken(token)), code);
    EXPECT_EQ(asked_.size(), count) << token;
    clock_.Advance(std::chrono::seconds(2));
    EXPECT_EQ(Check(WithToken(token)), code);
    EXPECT_GT(asked_.size(), count) << token;
  }
}

TEST_F(DelegatedAuthTest, WithoutTheApiServerNobodyIsLetIn) {
  is_down_ = true;
  EXPECT_EQ(Check(WithToken("good")), 500);
  EXPECT_EQ(Check({.method = "GET"}), 500);
  is_down_ = false;
  EXPECT_EQ(Check(WithToken("good")), 0) << "a failure is not kept";
}

}  // namespace
}  // namespace plimsoll::runner
