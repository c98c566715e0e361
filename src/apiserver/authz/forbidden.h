#pragma once

#include <string_view>

#include "api/status/status.h"
#include "apiserver/authz/authorizer.h"

namespace plimsoll::apiserver {

/// The 403 for a request that the authorizer refused, with its reason if it gave one.
api::StatusObject ForbiddenStatus(const User& user, const RequestInfo& what,
                                  std::string_view reason);

}  // namespace plimsoll::apiserver
