#pragma once

#include <cstddef>
#include <cstdint>

#include "apiserver/request/api_request.h"

namespace plimsoll::apiserver {

/// Returns the seats of the request, at most `widest`: one, or for a list one per hundred objects
/// that the server must visit. `stored` is the number of objects of the resource.
std::uint32_t EstimateSeats(const ApiRequest& request, std::size_t stored, std::uint32_t widest);

}  // namespace plimsoll::apiserver
