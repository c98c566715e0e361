#include "apiserver/authn/header_impersonation.h"

#include <utility>

#include "apiserver/authn/impersonation.h"

namespace plimsoll::apiserver {

api::Answer<void> HeaderImpersonation::Apply(ApiRequest& request) const {
  std::optional<User> wanted = PL_TRY(Impersonate(request.http.headers, request.user, authorizer_));
  if (!wanted) return {};
  request.impersonator = std::exchange(request.user, *std::move(wanted));
  RemoveImpersonationHeaders(request.http.headers);
  return {};
}

}  // namespace plimsoll::apiserver
