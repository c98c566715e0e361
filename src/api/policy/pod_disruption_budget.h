#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "api/meta/label_selector.h"
#include "api/meta/object_meta.h"

namespace plimsoll::api {

struct PodDisruptionBudget {
  ObjectMeta metadata;
  std::optional<LabelSelector> selector;  // unset: no pod
  std::int32_t disruptions_allowed = 0;
  std::vector<std::string_view> disrupted_pods;  // names of pods whose eviction is counted already
};

}  // namespace plimsoll::api
