#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/meta/object_meta.h"

namespace plimsoll::api {

struct TopologySelectorRequirement {
  std::string_view key;
  std::vector<std::string_view> values;

  friend bool operator==(const TopologySelectorRequirement&,
                         const TopologySelectorRequirement&) = default;
};

/// All requirements must match.
struct TopologySelectorTerm {
  std::vector<TopologySelectorRequirement> match_label_expressions;

  friend bool operator==(const TopologySelectorTerm&, const TopologySelectorTerm&) = default;
};

struct StorageClass {
  ObjectMeta metadata;
  std::string_view provisioner;
  std::optional<std::string_view> reclaim_policy;
  std::optional<std::string_view> volume_binding_mode;  // Immediate, WaitForFirstConsumer
  std::vector<TopologySelectorTerm> allowed_topologies;
};

}  // namespace plimsoll::api
