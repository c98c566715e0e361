#pragma once

#include <string_view>

#include "api/core/pod.h"

namespace plimsoll::api {

/// The image that the volume is; empty for a volume of another kind.
std::string_view ImageOf(const Volume& volume);

}  // namespace plimsoll::api
