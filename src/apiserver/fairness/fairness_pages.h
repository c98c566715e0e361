#pragma once

#include <cstddef>
#include <string_view>

#include "apiserver/fairness/fairness.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Returns whether the path is one of /debug/api_priority_and_fairness/dump_priority_levels,
/// dump_queues and dump_requests.
bool IsFairnessPage(std::string_view path);

/// Answers a request for such a page, in upstream's form: a header, and a row for each level, queue
/// or request. REQUIRES: IsFairnessPage(target.path).
net::Response ServeFairnessPage(const Fairness& fairness, std::string_view method,
                                const net::Target& target);

}  // namespace plimsoll::apiserver
