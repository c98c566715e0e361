#pragma once

#include <set>
#include <span>
#include <string_view>

#include "apiserver/discovery/json_text.h"
#include "apiserver/openapi/flavor.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// The members of `paths` for the resources of one group and version: what can be done, with which
/// parameters and bodies. `names` gets the schemas that they refer to.
void WritePaths(std::span<const Resource* const> resources, OpenApiFlavor flavor, JsonText& out,
                std::set<std::string_view>& names);

}  // namespace plimsoll::apiserver
