#pragma once

#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Serves PUT and PATCH of deployments/web/scale: sets the number of replicas.
api::Answer<net::Response> ServeScaleUpdate(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
