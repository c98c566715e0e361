#include "api/core/node_selector.h"

#include <array>
#include <utility>

namespace plimsoll::api {

std::optional<NodeSelectorOperator> ParseNodeSelectorOperator(std::string_view text) {
  using enum NodeSelectorOperator;
  static constexpr std::array<std::pair<std::string_view, NodeSelectorOperator>, 9> kOperators{{
      {"In", In},
      {"NotIn", NotIn},
      {"Exists", Exists},
      {"DoesNotExist", DoesNotExist},
      {"Gt", Gt},
      {"Lt", Lt},
      {"SemverGt", SemverGt},
      {"SemverLt", SemverLt},
      {"SemverEq", SemverEq},
  }};
  for (const auto& [name, op] : kOperators) {
    if (name == text) return op;
  }
  return std::nullopt;
}

}  // namespace plimsoll::api
