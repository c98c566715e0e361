#pragma once

#include <string_view>

namespace plimsoll::mutation {

/// Returns true for the body of a 500 that upstream's API server answers as well. It reports
/// some faults of a request as faults of the server.
bool IsUpstreams500(std::string_view body);

}  // namespace plimsoll::mutation
