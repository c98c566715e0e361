#pragma once

#include <string_view>

#include "api/core/pod.h"

namespace plimsoll::api {

/// Returns the image reference of an image volume; empty for other kinds of volume.
std::string_view ImageOf(const Volume& volume);

}  // namespace plimsoll::api
