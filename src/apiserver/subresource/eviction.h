#pragma once

#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// POST pods/web/eviction: deletes the pod if its disruption budget allows it, and counts it there.
/// 201 with a Status; 429 when the budget is used up.
api::Answer<net::Response> ServeEviction(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
