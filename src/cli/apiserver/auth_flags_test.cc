#include "cli/apiserver/auth_flags.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/file.h"

namespace plimsoll::cli {
namespace {

class AuthFlagsTest : public testing::Test {
 protected:
  AuthFlagsTest() {
    std::string pattern = testing::TempDir() + "auth_flags_test_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~AuthFlagsTest() override { std::filesystem::remove_all(root_); }

  /// Parses the flags. Returns the options or the error.
  Result<apiserver::InstanceOptions> Read(std::vector<std::string> arguments) {
    CLI::App app;
    AuthFlags flags;
    AddAuthFlags(app, flags);
    std::ranges::reverse(arguments);
    try {
      app.parse(arguments);
    } catch (const CLI::Error& error) {
      return Fail(Reason::Invalid, error.what());
    }
    apiserver::InstanceOptions options;
    PL_TRY(SetAuthOptions(flags, options));
    return options;
  }

  std::string root_;
};

TEST_F(AuthFlagsTest, TheDefaultsAreUpstreams) {
  const auto options = Read({});
  ASSERT_TRUE(options.has_value()) << options.error().Text();
  EXPECT_EQ(options->authorization.modes, (std::vector<std::string>{"Node", "RBAC"}));
  EXPECT_FALSE(options->authentication.anonymous.has_value());
  EXPECT_EQ(options->authentication.webhook.cache_ttl, std::chrono::minutes(2));
  EXPECT_EQ(options->authorization.authorized_ttl, std::chrono::minutes(5));
  EXPECT_EQ(options->authorization.unauthorized_ttl, std::chrono::seconds(30));
}

TEST_F(AuthFlagsTest, ListsAndSwitchesAreRead) {
  const auto options = Read({"--service-account-key-file",
                             "a",
                             "--service-account-key-file",
                             "b",
                             "--service-account-issuer",
                             "https://1",
                             "--service-account-issuer",
                             "https://2",
                             "--api-audiences",
                             "x,y",
                             "--anonymous-auth=false",
                             "--authorization-mode",
                             "RBAC",
                             "--oidc-required-claim",
                             "a=b",
                             "--oidc-required-claim",
                             "c=d",
                             "--client-ca-file",
                             "ca",
                             "--enable-bootstrap-token-auth"});
  ASSERT_TRUE(options.has_value()) << options.error().Text();
  const apiserver::AuthenticationOptions& authentication = options->authentication;
  EXPECT_EQ(authentication.service_accounts.key_files, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(authentication.service_accounts.issuers,
            (std::vector<std::string>{"https://1", "https://2"}));
  EXPECT_EQ(authentication.api_audiences, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(authentication.anonymous, false);
  EXPECT_TRUE(authentication.has_bootstrap_tokens);
  EXPECT_EQ(authentication.oidc.required_claims, (std::vector<std::string>{"a=b", "c=d"}));
  EXPECT_EQ(options->authorization.modes, (std::vector<std::string>{"RBAC"}));
  EXPECT_EQ(options->serving.client_ca, "ca");
}

TEST_F(AuthFlagsTest, AWebhookIsFoundByItsKubeconfig) {
  const std::string kubeconfig = root_ + "/webhook";
  ASSERT_TRUE(WriteFile(kubeconfig,
                        "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1/check'}}]\n"
                        "users: [{name: u, user: {token: t}}]\n"
                        "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
                        "current-context: x\n")
                  .has_value());
  const auto options =
      Read({"--authorization-mode", "Node,RBAC,Webhook", "--authorization-webhook-config-file",
            kubeconfig, "--authentication-token-webhook-config-file", kubeconfig});
  ASSERT_TRUE(options.has_value()) << options.error().Text();
  ASSERT_TRUE(options->authorization.webhook.has_value());
  EXPECT_EQ(options->authorization.webhook->target, "");
  EXPECT_EQ(options->authentication.webhook.server->token(Instant()), "t");
}

TEST_F(AuthFlagsTest, WhatMakesNoSenseIsRefused) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--authorization-mode", "Webhook"},
        {"--authorization-mode", "ABAC"},
        {"--authorization-webhook-config-file", root_ + "/none"},
        {"--authentication-token-webhook-cache-ttl", "soon"},
        {"--authentication-token-webhook-version", "v2"}}) {
    EXPECT_FALSE(Read(arguments).has_value()) << arguments.front();
  }
}

}  // namespace
}  // namespace plimsoll::cli
