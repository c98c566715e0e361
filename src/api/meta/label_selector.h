#pragma once

#include <string_view>
#include <vector>

#include "api/meta/string_map.h"

namespace plimsoll::api {

struct LabelSelectorRequirement {
  std::string_view key;
  std::string_view op;  // In, NotIn, Exists, DoesNotExist; kept as written for validation
  std::vector<std::string_view> values;
};

struct LabelSelector {
  StringMap match_labels;
  std::vector<LabelSelectorRequirement> match_expressions;

  bool empty() const { return match_labels.empty() && match_expressions.empty(); }
};

}  // namespace plimsoll::api
