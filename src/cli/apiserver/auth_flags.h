#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/server/instance.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Flags of the API server about certificates, authentication and authorization.
struct AuthFlags {
  apiserver::ServingFiles serving;
  apiserver::AuthenticationOptions authentication;
  std::string token_webhook_config_file;
  std::string token_webhook_cache_ttl = "2m0s";
  std::vector<std::string> authorization_modes = {"Node", "RBAC"};
  std::string authorization_webhook_config_file;
  std::string authorization_webhook_version = "v1beta1";
  std::string authorized_ttl = "5m0s";
  std::string unauthorized_ttl = "30s";
};

void AddAuthFlags(CLI::App& command, AuthFlags& flags);

/// Applies the flags to `options`. Returns Invalid with the wrong flag and the reason.
Status SetAuthOptions(const AuthFlags& flags, apiserver::InstanceOptions& options);

}  // namespace plimsoll::cli
