#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

/// Builds the names and the JSON of a StatefulSet's pods and claims.
namespace plimsoll::controller {

/// Returns 3 for the pod `web-3` of the StatefulSet `web`; nothing for other names.
std::optional<std::int64_t> PodOrdinal(std::string_view set_name, std::string_view pod_name);

std::string StatefulPodName(std::string_view set_name, std::int64_t ordinal);

/// A claim that a pod needs, and the JSON to create it.
struct StatefulClaim {
  std::string name;
  std::string json;
};
std::vector<StatefulClaim> ClaimsOf(const api::Object& set, std::int64_t ordinal);

/// Returns the JSON of the pod with this ordinal, from the template of a revision.
std::string StatefulPod(const api::Object& set, const codec::Value& pod_template,
                        std::string_view revision_name, std::int64_t ordinal);

}  // namespace plimsoll::controller
