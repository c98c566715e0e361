#pragma once

#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Serves POST pods/web/binding and the older POST bindings: assigns a pod to a node. Responds 201
/// with a Status.
api::Answer<net::Response> ServeBinding(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
