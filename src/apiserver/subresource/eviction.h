#pragma once

#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Serves POST pods/web/eviction: deletes the pod and decrements its PodDisruptionBudget. Responds
/// 201 with a Status, or 429 if the budget allows no disruption.
api::Answer<net::Response> ServeEviction(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
