#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/authn/authentication_options.h"

namespace plimsoll::apiserver {

/// --authorization-…
struct AuthorizationOptions {
  /// In the order in which they are asked: Node, RBAC, Webhook, AlwaysAllow, AlwaysDeny.
  std::vector<std::string> modes = {"Node", "RBAC"};
  std::optional<RemoteServer> webhook;      // for the mode Webhook
  std::string webhook_version = "v1beta1";  // of SubjectAccessReview
  Duration authorized_ttl = std::chrono::minutes(5);
  Duration unauthorized_ttl = std::chrono::seconds(30);
};

/// Invalid for a mode that is not known, stands twice, or lacks what it needs.
Status CheckAuthorizationOptions(const AuthorizationOptions& options);

}  // namespace plimsoll::apiserver
