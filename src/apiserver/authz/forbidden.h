#pragma once

#include <string_view>

#include "api/status/status.h"
#include "apiserver/authz/authorizer.h"

namespace plimsoll::apiserver {

/// Returns the 403 status of an unauthorized request, with the authorizer's reason if any.
api::StatusObject ForbiddenStatus(const User& user, const RequestInfo& what,
                                  std::string_view reason);

}  // namespace plimsoll::apiserver
