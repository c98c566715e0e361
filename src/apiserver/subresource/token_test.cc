#include "apiserver/subresource/token.h"

#include <gtest/gtest.h>

#include "apiserver/admission/node_restriction.h"
#include "apiserver/write/writer_for_test.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

class TokenTest : public testing::Test {
 protected:
  TokenTest() {
    server_.CacheFixture::Put(server_.Of("serviceaccounts"), "default", "robot", "",
                              R"(,"uid":"u1")");
    server_.CacheFixture::Put(
        server_.Of("pods"), "default", "p",
        R"(,"spec":{"nodeName":"n1","serviceAccountName":"robot","volumes":[{"name":"t",)"
        R"("projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}]})",
        R"(,"uid":"pu")");
  }

  /// Returns `<code> <token or message>`.
  std::string Post(std::string_view query, std::string body, const User& user) {
    ApiRequest request = server_.MakeRequest(
        "POST", "/api/v1/namespaces/default/serviceaccounts/robot/token" + std::string(query),
        std::move(body), {});
    request.user = user;
    api::Answer<net::Response> answer = ServeToken(server_.writer(), tokens_, request);
    const net::Response response =
        answer ? *std::move(answer) : RespondStatus(request, answer.error());
    const auto body_tree = codec::ParseJson(std::string(*response.body));
    const codec::Value& root = (*body_tree)->root();
    warnings_ = request.warnings;
    return std::to_string(response.status) + " " +
           std::string(response.status == 201 ? TextAt(root, "status", "token")
                                              : TextAt(root, "message"));
  }

  std::vector<std::string> warnings_;
  CacheFixture cluster_;
  TestAuthorizer nobody_;
  NodeRestriction gate_{cluster_.cache(), cluster_.table(), nobody_};
  WriterFixture server_{{&gate_}};
  ServiceAccountTokens tokens_{{.keys = *ReadServiceAccountKeys(*net::MakeSigningKey(), {})},
                               server_.clock(),
                               BoundObjectsIn(server_.cache(), server_.table()),
                               [] { return "id"; }};
};

const User kJane{.name = "jane"};
const User kNode{.name = "system:node:n1", .groups = {"system:nodes"}};

TEST_F(TokenTest, ADryRunHasNoTokenInItsAnswer) {
  EXPECT_GT(Post("", "{}", kJane).size(), 100u);
  EXPECT_EQ(Post("?dryRun=All", "{}", kJane), "201 ");
}

TEST_F(TokenTest, ALongLifetimeIsShortenedWithAWarning) {
  Post("", R"({"spec":{"expirationSeconds":4294967296}})", kJane);
  EXPECT_EQ(warnings_, std::vector<std::string>{
                           "requested expiration of 4294967296 seconds shortened to 172800 "
                           "seconds"});
}

TEST_F(TokenTest, ANodeGetsNoTokenThatIsNotBoundToAPod) {
  EXPECT_EQ(Post("", "{}", kNode),
            R"(403 serviceaccounts "robot" is forbidden: node requested token not bound to a pod)");
}

}  // namespace
}  // namespace plimsoll::apiserver
