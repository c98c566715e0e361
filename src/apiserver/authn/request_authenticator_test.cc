#include "apiserver/authn/request_authenticator.h"

#include <gtest/gtest.h>

#include "apiserver/authn/token_file.h"

namespace plimsoll::apiserver {
namespace {

class RequestAuthenticatorTest : public testing::Test {
 protected:
  /// Returns `jane [a,b]`, `nobody`, or `401`.
  std::string Who(const net::Request& request) {
    const auto answer = authenticator_.Authenticate(request);
    if (!answer) return std::to_string(answer.error().code);
    if (!answer->has_value()) return "nobody";
    std::string text = (*answer)->name + " [";
    for (const std::string& group : (*answer)->groups) {
      if (!text.ends_with('[')) text += ',';
      text += group;
    }
    return text + "]";
  }
  static net::Request WithHeader(std::string authorization) {
    net::Request request;
    request.headers.Add("authorization", std::move(authorization));
    return request;
  }

  TokenFile tokens_ = *TokenFile::Parse("f", "secret,jane,u,devs\nghost,system:anonymous,u\n");
  TokenUnion union_{{&tokens_}};
  RequestAuthenticator authenticator_{union_, {"api"}};
};

TEST_F(RequestAuthenticatorTest, Tokens) {
  EXPECT_EQ(Who(WithHeader("Bearer secret")), "jane [devs,system:authenticated]");
  EXPECT_EQ(Who(WithHeader("  bEaReR secret  ")), "jane [devs,system:authenticated]");
  EXPECT_EQ(Who(WithHeader("Bearer secret more")), "jane [devs,system:authenticated]");
  EXPECT_EQ(Who(WithHeader("Bearer wrong")), "401");
  EXPECT_EQ(Who(WithHeader("Bearer  secret")), "nobody") << "as upstream, an empty token is none";
  EXPECT_EQ(Who(WithHeader("Bearer")), "nobody");
  EXPECT_EQ(Who(WithHeader("Basic c2VjcmV0")), "nobody");
  EXPECT_EQ(Who(WithHeader("Bearer ghost")), "system:anonymous []");
}

TEST_F(RequestAuthenticatorTest, Certificates) {
  net::Request request;
  EXPECT_EQ(Who(request), "nobody");
  request.certificate = {"admin", {"system:masters"}, "ab12"};
  EXPECT_EQ(Who(request), "admin [system:masters,system:authenticated]");
  EXPECT_EQ((*authenticator_.Authenticate(request))
                ->extra.at("authentication.kubernetes.io/credential-id"),
            (std::vector<std::string>{"X509SHA256=ab12"}));
  request.headers.Add("Authorization", "Bearer wrong");
  EXPECT_EQ(Who(request), "admin [system:masters,system:authenticated]");
  request.certificate->common_name.clear();
  EXPECT_EQ(Who(request), "401");
}

TEST_F(RequestAuthenticatorTest, ABadCertificateIsMadeUpForByATokenOnly) {
  net::Request request;
  request.is_certificate_bad = true;
  EXPECT_EQ(Who(request), "401");
  request.headers.Add("Authorization", "Bearer secret");
  EXPECT_EQ(Who(request), "jane [devs,system:authenticated]");
}

TEST_F(RequestAuthenticatorTest, TheProcessVouchesForItsOwn) {
  net::Request request = WithHeader("Bearer wrong");
  request.local = {"system:kube-scheduler", {}};
  EXPECT_EQ(Who(request), "system:kube-scheduler [system:authenticated]");
}

TEST(AnonymousTest, IsLetInWhereTheConfigurationSaysSo) {
  const auto file = TokenFile::Parse("f", "secret,jane,1");
  const auto is_let_in = [&](AnonymousConfig anonymous, std::string target,
                             std::string token = {}) {
    RequestAuthenticator authenticator(*file, {"api"}, std::move(anonymous));
    net::Request request;
    request.target = std::move(target);
    if (!token.empty()) request.headers.Add("Authorization", "Bearer " + token);
    return authenticator.Authenticate(request).has_value();
  };
  EXPECT_TRUE(is_let_in({}, "/api/v1/pods"));
  const AnonymousConfig off{.is_enabled = false};
  EXPECT_FALSE(is_let_in(off, "/healthz"));
  EXPECT_TRUE(is_let_in(off, "/healthz", "secret"));
  const AnonymousConfig some{.paths = {"/livez", "/readyz"}};
  EXPECT_TRUE(is_let_in(some, "/livez?verbose"));
  EXPECT_TRUE(is_let_in(some, "/readyz"));
  for (const char* const path :
       {"/livez/ping", "/livez/", "//livez", "/api", "/x?/livez", "livez"}) {
    EXPECT_FALSE(is_let_in(some, path)) << path;
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
