#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/authn/authentication_options.h"

namespace plimsoll::apiserver {

/// The --authorization-* flags.
struct AuthorizationOptions {
  /// Authorizers in the order of their calls: Node, RBAC, Webhook, AlwaysAllow, AlwaysDeny.
  std::vector<std::string> modes = {"Node", "RBAC"};
  std::optional<RemoteServer> webhook;      // for the mode Webhook
  std::string webhook_version = "v1beta1";  // version of SubjectAccessReview
  Duration authorized_ttl = std::chrono::minutes(5);
  Duration unauthorized_ttl = std::chrono::seconds(30);
};

/// Fails with Invalid if a mode is unknown, duplicate, or lacks an option that it needs.
Status CheckAuthorizationOptions(const AuthorizationOptions& options);

}  // namespace plimsoll::apiserver
