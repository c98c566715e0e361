#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "api/core/placement.h"

namespace plimsoll::api {

enum class NodeSelectorOperator : std::uint8_t {
  In,
  NotIn,
  Exists,
  DoesNotExist,
  Gt,
  Lt,
  SemverGt,
  SemverLt,
  SemverEq,
};

std::optional<NodeSelectorOperator> ParseNodeSelectorOperator(std::string_view text);

}  // namespace plimsoll::api
