#pragma once

#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// PUT and PATCH of deployments/web/scale: sets how many replicas there shall be.
api::Answer<net::Response> ServeScaleUpdate(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
