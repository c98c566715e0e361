#pragma once

#include "apiserver/authz/authorizer.h"
#include "apiserver/server/api_server.h"

namespace plimsoll::apiserver {

/// Impersonation by headers, with authorization; see impersonation.h.
class HeaderImpersonation final : public Impersonation {
 public:
  /// The authorizer must outlive this object.
  explicit HeaderImpersonation(const Authorizer& authorizer) : authorizer_(authorizer) {}

  api::Answer<void> Apply(ApiRequest& request) const override;

 private:
  const Authorizer& authorizer_;
};

}  // namespace plimsoll::apiserver
