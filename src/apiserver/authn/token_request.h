#pragma once

#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/authn/service_account_tokens.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// `POST serviceaccounts/<name>/token`: the TokenRequest with its token, as JSON for a 201.
/// `request` is the decoded TokenRequest, defaults set. NotFound for the account or what the token
/// is to be bound to, BadRequest, Conflict, Invalid.
api::Answer<std::string> CreateToken(const ServiceAccountTokens& tokens,
                                     std::string_view namespace_, std::string_view name,
                                     const codec::Value& request, Instant now);

}  // namespace plimsoll::apiserver
