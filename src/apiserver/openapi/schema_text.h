#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "api/feature_gates.h"
#include "apiserver/openapi/flavor.h"
#include "apiserver/resource/resource.h"
#include "codec/json_text.h"

namespace plimsoll::apiserver {

/// Returns the names, and the names of all types that they refer to.
std::set<std::string_view> WithReferences(std::set<std::string_view> names);

/// Writes the members of `components.schemas`, or of `definitions`: one schema per name.
/// `resources` are needed because DeleteOptions belongs to every group. The gates decide how lists
/// are merged.
void WriteSchemas(const std::set<std::string_view>& names, std::span<const Resource> resources,
                  const api::FeatureGates& gates, OpenApiFlavor flavor, codec::JsonStream& out);

}  // namespace plimsoll::apiserver
