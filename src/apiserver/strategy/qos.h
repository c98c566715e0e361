#pragma once

#include <string_view>

#include "codec/value.h"

namespace plimsoll::apiserver {

/// Guaranteed, Burstable or BestEffort: what the requests and limits of a pod's spec, which has
/// its defaults, say about who must give way first.
std::string_view QosClassOf(const codec::Value& pod_spec);

}  // namespace plimsoll::apiserver
