#pragma once

#include "api/status/status.h"
#include "apiserver/request/api_request.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/writer.h"
#include "net/http.h"

/// HTTP handlers of the mutating verbs, for authorized requests. They block, so call them on worker
/// threads.
namespace plimsoll::apiserver {

/// Responds to a write with the object: 201 if it was created, else 200.
api::Answer<net::Response> RespondWritten(Writer& writer, const ApiRequest& request,
                                          const Negotiated& wanted, Written written);

/// Serves POST of an object: 201.
api::Answer<net::Response> ServeCreate(Writer& writer, ApiRequest& request);
/// Serves PUT of an object, its status or its finalizers: 200, or 201 if it was created.
api::Answer<net::Response> ServeUpdate(Writer& writer, ApiRequest& request);
/// Serves PATCH, with any of the four patch types.
api::Answer<net::Response> ServePatch(Writer& writer, ApiRequest& request);
/// Serves DELETE of one object.
api::Answer<net::Response> ServeDelete(Writer& writer, ApiRequest& request);
/// Serves DELETE of all objects that the selectors match.
api::Answer<net::Response> ServeDeleteCollection(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
