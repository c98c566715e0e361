#pragma once

#include "api/status/status.h"
#include "apiserver/request/api_request.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/writer.h"
#include "net/http.h"

/// The writing verbs over HTTP: from a request that was authorized to the response. They wait, and
/// belong on worker threads.
namespace plimsoll::apiserver {

/// The answer to a write: the object, 201 where it was created.
api::Answer<net::Response> RespondWritten(Writer& writer, const ApiRequest& request,
                                          const Negotiated& wanted, Written written);

/// POST of an object: 201.
api::Answer<net::Response> ServeCreate(Writer& writer, ApiRequest& request);
/// PUT of an object, or of its status or finalizers: 200, or 201 where it was created.
api::Answer<net::Response> ServeUpdate(Writer& writer, ApiRequest& request);
/// PATCH, of whichever of the four types.
api::Answer<net::Response> ServePatch(Writer& writer, ApiRequest& request);
/// DELETE of one object.
api::Answer<net::Response> ServeDelete(Writer& writer, ApiRequest& request);
/// DELETE of all that the selectors choose.
api::Answer<net::Response> ServeDeleteCollection(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
