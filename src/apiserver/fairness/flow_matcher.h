#pragma once

#include <cstdint>

#include "apiserver/fairness/flow_config.h"
#include "apiserver/request/request_info.h"
#include "apiserver/request/user.h"

namespace plimsoll::apiserver {

/// Returns true if one of the schema's rules matches the request.
bool MatchesFlow(const FlowConfig& flow, const User& user, const RequestInfo& what);

/// Returns the flow distinguisher, a view into the arguments.
std::string_view DistinguisherOf(const FlowConfig& flow, const User& user, const RequestInfo& what);

/// Returns a hash of the flow. `seed` prevents clients from choosing names that share queues.
std::uint64_t HashFlow(std::string_view schema, std::string_view distinguisher, std::uint64_t seed);

}  // namespace plimsoll::apiserver
