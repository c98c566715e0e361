#pragma once

#include <set>
#include <span>
#include <string_view>

#include "apiserver/openapi/flavor.h"
#include "apiserver/resource/resource.h"
#include "codec/json_text.h"

namespace plimsoll::apiserver {

/// Writes the members of `paths` for the resources of one group and version: operations with their
/// parameters and bodies. Adds the schemas that they refer to to `names`.
void WritePaths(std::span<const Resource* const> resources, OpenApiFlavor flavor,
                codec::JsonStream& out, std::set<std::string_view>& names);

}  // namespace plimsoll::apiserver
