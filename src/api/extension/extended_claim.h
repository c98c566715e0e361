#pragma once

#include <memory>
#include <string>

#include "api/extension/extension.h"

namespace plimsoll::api {

/// Extend for ResourceClaims. Adds the tolerations to every request and to every allocated device,
/// where a server that knows the field would have copied them.
std::shared_ptr<const Object> ExtendClaim(const std::shared_ptr<const Object>& claim,
                                          const ValidationContext& context);

/// Returns a part of a claim as JSON for the server, without the fields taken from annotations.
std::string WriteUnextended(const codec::Value& tree);

}  // namespace plimsoll::api
