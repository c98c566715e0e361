#pragma once

#include <memory>
#include <string>

#include "apiserver/authn/authentication_options.h"
#include "base/clock.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// Posts a review to another server and returns its answer as a JSON object. Waits, up to 30
/// seconds; a request that failed to reach the server is sent once more. ServiceUnavailable,
/// Timeout, or InternalError for an answer that is none.
Result<std::unique_ptr<codec::Document>> PostReview(const RemoteServer& server,
                                                    const std::string& review, Instant now);

}  // namespace plimsoll::apiserver
