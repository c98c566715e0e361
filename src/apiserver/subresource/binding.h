#pragma once

#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// POST pods/web/binding, and the older POST bindings: gives an unassigned pod its node. 201 with a
/// Status.
api::Answer<net::Response> ServeBinding(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
