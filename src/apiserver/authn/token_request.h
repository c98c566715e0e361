#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/status/status.h"
#include "apiserver/authn/service_account_tokens.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// Service account of a TokenRequest, and options of the request.
struct TokenTarget {
  std::string_view namespace_;
  std::string_view name;
  Instant now{};
  bool is_dry_run = false;
};

/// Answers an admitted TokenRequest: returns it with its token, as JSON with code 201. `request` is
/// the decoded TokenRequest with defaults. Limits the lifetime to the server's maximum, with a
/// warning. A dry run issues no token. Fails with NotFound (account or bound object), BadRequest,
/// Conflict or Invalid.
api::Answer<std::string> CreateToken(const ServiceAccountTokens& tokens, const TokenTarget& target,
                                     const codec::Value& request,
                                     std::vector<std::string>& warnings);

}  // namespace plimsoll::apiserver
