#include "apiserver/authn/header_impersonation.h"

#include <utility>

#include "apiserver/authn/impersonation.h"
#include "apiserver/authn/wait_ban.h"

namespace plimsoll::apiserver {

api::Answer<void> HeaderImpersonation::Apply(ApiRequest& request) const {
  std::optional<User> wanted = PL_TRY(Impersonate(request.http.headers, request.user, authorizer_));
  // The authorizer has no final decision yet, and the second attempt needs the headers.
  if (WaitBan::IsHit()) return std::unexpected(api::Unauthorized());
  if (!wanted) return {};
  request.impersonator = std::exchange(request.user, *std::move(wanted));
  RemoveImpersonationHeaders(request.http.headers);
  return {};
}

}  // namespace plimsoll::apiserver
