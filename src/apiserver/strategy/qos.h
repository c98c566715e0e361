#pragma once

#include <string_view>

#include "codec/value.h"

namespace plimsoll::apiserver {

/// Returns Guaranteed, Burstable or BestEffort, from the requests and limits of the spec. REQUIRES:
/// the spec has its defaults.
std::string_view QosClassOf(const codec::Value& pod_spec);

}  // namespace plimsoll::apiserver
