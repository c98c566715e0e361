#pragma once

#include <cstdint>

#include "codec/value.h"

namespace plimsoll::codec {

/// Returns whether the tree nests more than `depth_max` lists and objects in each other. Does not
/// recurse, so that trees of any depth can be asked about.
bool IsDeeperThan(const Value& root, std::uint32_t depth_max);

}  // namespace plimsoll::codec
