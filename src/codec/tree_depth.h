#pragma once

#include <cstdint>

#include "codec/value.h"

namespace plimsoll::codec {

/// Returns true if more than `depth_max` lists and objects are nested. Does not recurse, so that it
/// is safe for trees of any depth.
bool IsDeeperThan(const Value& root, std::uint32_t depth_max);

}  // namespace plimsoll::codec
