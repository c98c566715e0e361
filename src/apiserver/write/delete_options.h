#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/status/status.h"
#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// `meta.v1.DeleteOptions`.
struct DeleteOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::optional<bool> orphan_dependents;          // deprecated form of propagationPolicy
  std::optional<std::string> propagation_policy;  // Background, Foreground, Orphan
  std::optional<std::string> uid;                 // precondition: uid of the object
  std::optional<std::string> resource_version;
  bool is_dry_run = false;
};

/// Reads the body, or the query if there is no body. Fails with BadRequest, UnsupportedMediaType,
/// or Invalid for contradictory values.
api::Answer<DeleteOptions> ReadDeleteOptions(const ApiRequest& request);

}  // namespace plimsoll::apiserver
