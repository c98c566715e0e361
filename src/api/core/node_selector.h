#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

struct NodeSelectorRequirement {
  std::string_view key;
  std::string_view op;  // as written
  std::vector<std::string_view> values;

  friend bool operator==(const NodeSelectorRequirement&, const NodeSelectorRequirement&) = default;
};

/// All requirements of both lists must hold; a term with neither matches nothing.
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions;
  std::vector<NodeSelectorRequirement> match_fields;

  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

/// Any term is enough; none matches nothing.
struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;

  friend bool operator==(const NodeSelector&, const NodeSelector&) = default;
};

struct PreferredSchedulingTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm preference;

  friend bool operator==(const PreferredSchedulingTerm&, const PreferredSchedulingTerm&) = default;
};

struct NodeAffinity {
  std::optional<NodeSelector> required;
  std::vector<PreferredSchedulingTerm> preferred;

  friend bool operator==(const NodeAffinity&, const NodeAffinity&) = default;
};

}  // namespace plimsoll::api
