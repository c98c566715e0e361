#pragma once

#include <optional>

#include "api/status/status.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/request/user.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Who the request wants to be (`Impersonate-User` and its companions), when the user may be that:
/// each name, group, uid and extra value is authorized on its own. Nothing when the request does
/// not ask. Forbidden, or InternalError for groups and the like without a user. Adds
/// system:authenticated or system:unauthenticated.
api::Answer<std::optional<User>> Impersonate(const net::Headers& headers, const User& user,
                                             const Authorizer& authorizer);

/// Takes the headers out, so that nobody after this acts on them again.
void RemoveImpersonationHeaders(net::Headers& headers);

}  // namespace plimsoll::apiserver
