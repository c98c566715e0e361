#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/status/status.h"
#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// `meta.v1.DeleteOptions`: how something is to be deleted.
struct DeleteOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::optional<bool> orphan_dependents;          // what propagationPolicy was once
  std::optional<std::string> propagation_policy;  // Background, Foreground, Orphan
  std::optional<std::string> uid;                 // that the object must have
  std::optional<std::string> resource_version;
  bool is_dry_run = false;
};

/// From the body, or the query where there is no body. BadRequest, UnsupportedMediaType, and
/// Invalid for values that do not go together.
api::Answer<DeleteOptions> ReadDeleteOptions(const ApiRequest& request);

}  // namespace plimsoll::apiserver
