#include "apiserver/authn/bootstrap_tokens.h"

#include <gtest/gtest.h>

#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

class BootstrapTokensTest : public testing::Test {
 protected:
  std::string Who(std::string_view shown, std::vector<std::string> audiences = {"api"}) {
    const auto found = tokens.AuthenticateToken(shown, audiences);
    if (!found) return found.error().message;
    if (!found->has_value()) return "nobody";
    std::string who = (*found)->user.name;
    for (const std::string& group : (*found)->user.groups) who += " " + group;
    return who;
  }

  VirtualClock clock{*ParseTime("2026-06-01T00:00:00Z")};
  BootstrapSecret secret{.type = "bootstrap.kubernetes.io/token",
                         .data = {{"token-id", "abcdef"},
                                  {"token-secret", "0123456789abcdef"},
                                  {"usage-bootstrap-authentication", "true"},
                                  {"expiration", "2026-06-01T00:00:01Z"}}};
  BootstrapTokens tokens{[this](std::string_view name) -> std::optional<BootstrapSecret> {
                           if (name != "bootstrap-token-abcdef") return std::nullopt;
                           return secret;
                         },
                         clock,
                         {"api"}};
  const std::string token = "abcdef.0123456789abcdef";
};

TEST_F(BootstrapTokensTest, AGoodTokenIsABootstrapper) {
  EXPECT_EQ(Who(token), "system:bootstrap:abcdef system:bootstrappers");
  secret.data["auth-extra-groups"] = "system:bootstrappers:b:c,system:bootstrappers:a";
  EXPECT_EQ(Who(token),
            "system:bootstrap:abcdef system:bootstrappers system:bootstrappers:a "
            "system:bootstrappers:b:c");
  EXPECT_EQ(Who(token, {"vault"}), "nobody");
}

TEST_F(BootstrapTokensTest, OtherTokensAreNobodys) {
  for (const std::string_view bad :
       {"", "abcdef", "abcdef.", "abcdef.0123456789abcdeg", "abcdef.0123456789abcde",
        "abcdef.0123456789abcdef0", "ABCDEF.0123456789abcdef", "abcdeg.0123456789abcdef",
        "abc/..0123456789abcdef", "abcdef.0123456789abcdeF"}) {
    EXPECT_EQ(Who(bad), "nobody") << bad;
  }
}

TEST_F(BootstrapTokensTest, EachRuleOfTheSecretCounts) {
  const BootstrapSecret good = secret;
  const auto with = [&](std::string_view key, std::string value) {
    secret = good;
    secret.data[std::string(key)] = std::move(value);
    return Who(token);
  };
  EXPECT_EQ(with("token-id", "abcdeg"), "nobody");
  EXPECT_EQ(with("token-secret", ""), "nobody");
  EXPECT_EQ(with("usage-bootstrap-authentication", "TRUE"), "nobody");
  EXPECT_EQ(with("usage-bootstrap-authentication", ""), "nobody");
  EXPECT_EQ(with("expiration", "2026-06-01T00:00:00Z"), "nobody");
  EXPECT_EQ(with("expiration", "soon"), "nobody");
  EXPECT_NE(with("expiration", ""), "nobody");
  for (const std::string_view group :
       {"system:masters", "system:bootstrappers",
        "system:bootstrappers:", "system:bootstrappers:a-", "system:bootstrappers:A",
        "system:bootstrappers:a b", "system:bootstrappersx:a"}) {
    EXPECT_EQ(with("auth-extra-groups", std::string(group)), "nobody") << group;
  }
  EXPECT_EQ(with("auth-extra-groups", "system:bootstrappers:" + std::string(257, 'a')), "nobody");
  secret = good;
  secret.type = "Opaque";
  EXPECT_EQ(Who(token), "nobody");
  secret = good;
  secret.is_being_deleted = true;
  EXPECT_EQ(Who(token), "nobody");
  secret = good;
  secret.data.clear();
  EXPECT_EQ(Who(token), "nobody");
}

}  // namespace
}  // namespace plimsoll::apiserver
