#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "apiserver/discovery/json_text.h"
#include "apiserver/openapi/flavor.h"
#include "apiserver/resource/resource.h"

namespace plimsoll::apiserver {

/// The names with all that their types refer to.
std::set<std::string_view> WithReferences(std::set<std::string_view> names);

/// The members of `components.schemas`, or of `definitions`: one schema per name. DeleteOptions is
/// of every group, hence the resources.
void WriteSchemas(const std::set<std::string_view>& names, std::span<const Resource> resources,
                  OpenApiFlavor flavor, JsonText& out);

}  // namespace plimsoll::apiserver
