#pragma once

#include <memory>
#include <string>

#include "api/extension/extension.h"

namespace plimsoll::api {

/// Extend for ResourceClaims: the tolerations stand in every request, and in every device that is
/// allocated, where a server that knows them has copied them.
std::shared_ptr<const Object> ExtendClaim(const std::shared_ptr<const Object>& claim,
                                          const ValidationContext& context);

/// A part of a claim as JSON that the server takes: without what comes from the annotation.
std::string WriteUnextended(const codec::Value& tree);

}  // namespace plimsoll::api
