#pragma once

#include <cstdint>
#include <vector>

#include "api/schema/schema.h"

namespace plimsoll::api {

/// Gives the type a perfect hash of its fields' names; `slots` owns it. Leaves the type without
/// one, which FindField handles, if there are 255 fields or more, or two names have the same
/// KeyBits.
void AddFieldHash(TypeDesc& type, std::vector<std::uint8_t>& slots);

}  // namespace plimsoll::api
