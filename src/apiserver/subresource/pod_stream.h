#pragma once

#include <string_view>

#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Returns true for the sub-resources of pods that a kubelet serves: attach, exec, log and
/// portforward.
bool IsPodStream(const ApiRequest& request);

/// Serves these sub-resources, with upstream's checks of pod and container. No pod has a stream:
/// responds 501 with a sentence that says why. The log of a pod without a node is empty (204).
/// REQUIRES: IsPodStream.
api::Answer<net::Response> ServePodStream(Writer& writer, ApiRequest& request);

}  // namespace plimsoll::apiserver
