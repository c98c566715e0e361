#pragma once

#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// Whether the caller is in this process: it can be handed objects in place of their texts, and
/// waits on its own thread. Who comes through the insecure port is trusted likewise, but has an
/// address.
inline bool IsInProcess(const ApiRequest& request) {
  return request.http.local.has_value() && request.http.remote_address.empty();
}

}  // namespace plimsoll::apiserver
