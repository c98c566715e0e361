#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

/// What the pods and claims of a StatefulSet are called and look like.
namespace plimsoll::controller {

/// The ordinal in `web-3`, for the StatefulSet web; nothing for other names.
std::optional<std::int64_t> PodOrdinal(std::string_view set_name, std::string_view pod_name);

std::string StatefulPodName(std::string_view set_name, std::int64_t ordinal);

/// A claim that a pod needs, and how to make it.
struct StatefulClaim {
  std::string name;
  std::string json;
};
std::vector<StatefulClaim> ClaimsOf(const api::Object& set, std::int64_t ordinal);

/// The pod of that ordinal from the template of a revision, as JSON.
std::string StatefulPod(const api::Object& set, const codec::Value& pod_template,
                        std::string_view revision_name, std::int64_t ordinal);

}  // namespace plimsoll::controller
