#pragma once

#include <optional>

#include "api/status/status.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/request/user.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Returns the user in the `Impersonate-*` headers, or nullopt without such headers. Each name,
/// group, uid and extra value is authorized on its own. Adds system:authenticated or
/// system:unauthenticated. Fails with Forbidden, or with InternalError for groups, uid or extra
/// without a user.
api::Answer<std::optional<User>> Impersonate(const net::Headers& headers, const User& user,
                                             const Authorizer& authorizer);

/// Removes the headers, so that no later step applies them again.
void RemoveImpersonationHeaders(net::Headers& headers);

}  // namespace plimsoll::apiserver
