#pragma once

#include <memory>
#include <string>

#include "apiserver/authn/authentication_options.h"
#include "base/clock.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// Posts a review to a remote server and returns the response as a JSON object. Blocks up to 30
/// seconds per attempt; retries once if it cannot reach the server. Fails with ServiceUnavailable,
/// Timeout, or InternalError for an unusable response.
Result<std::unique_ptr<codec::Document>> PostReview(const RemoteServer& server,
                                                    const std::string& review, Instant now);

}  // namespace plimsoll::apiserver
