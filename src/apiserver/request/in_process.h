#pragma once

#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// Returns true if the caller is in this process.
/// Such a caller takes objects instead of text and waits on its own thread. Clients of the insecure
/// port are `local`, too, but have an address.
inline bool IsInProcess(const ApiRequest& request) {
  return request.http.local.has_value() && request.http.remote_address.empty();
}

}  // namespace plimsoll::apiserver
