#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/status/status.h"
#include "apiserver/authn/service_account_tokens.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// The service account of a TokenRequest, and how the client wants it.
struct TokenTarget {
  std::string_view namespace_;
  std::string_view name;
  Instant now{};
  bool is_dry_run = false;
};

/// Answers a TokenRequest that was admitted: returns it with its token as JSON for a 201. `request`
/// is the decoded TokenRequest, defaults set. A lifetime beyond the server's maximum is shortened,
/// with a warning. A dry run gets everything but the token. NotFound for the account or the object
/// that the token is to be bound to, BadRequest, Conflict, Invalid.
api::Answer<std::string> CreateToken(const ServiceAccountTokens& tokens, const TokenTarget& target,
                                     const codec::Value& request,
                                     std::vector<std::string>& warnings);

}  // namespace plimsoll::apiserver
