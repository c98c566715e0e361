#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/cache/cache.h"
#include "apiserver/request/api_request.h"
#include "apiserver/response/negotiation.h"

namespace plimsoll::apiserver {

/// Metadata of a list.
struct ListHead {
  store::Revision revision{};
  std::string continue_token;            // empty: last page
  std::optional<std::size_t> remaining;  // remainingItemCount, if known
};

/// Responds with a list: a small one as a whole, others item by item. Fails with InternalError if
/// the client is in this process and an object cannot be decoded.
api::Answer<net::Response> RespondList(const ApiRequest& request, const Negotiated& wanted,
                                       const ListHead& head, std::vector<ObjectPtr> objects,
                                       Instant now);

}  // namespace plimsoll::apiserver
