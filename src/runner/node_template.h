#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/node_status.h"
#include "base/result.h"

/// Makes many nodes from one template.
namespace plimsoll::runner {

/// Replaces the patterns between `{{` and `}}` for the node with this number:
///  - `i`, followed by any number of `+`, `-`, `*`, `/`, `%` with a number: `{{i/10%3+1}}`. The
///    order is left to right. `:N` at the end means at least N digits: `{{i:3}}` is 007.
///  - or words separated by `|`, of which each node takes the next one: `{{a|b|c}}`.
/// Invalid: anything else.
/// If `device` is set, `d` stands for its number: `{{d}}`, `{{d%2}}`, `{{d|a|b|c}}`.
Result<std::string> FillIn(std::string_view text, std::int64_t number,
                           std::optional<std::int64_t> device = std::nullopt);

struct NodeTemplate {
  /// A Node as YAML, with patterns; empty: the built-in one. ResourceSlices of the node's devices
  /// may follow.
  std::string text;
  std::size_t count = 0;     // number of nodes
  std::int64_t first = 0;    // number of the first node
  std::string version;       // kubelet version, if the text has none
  std::string runtime = {};  // container runtime version, if the text has none
};

/// Makes the nodes of a template. Adds labels, resources and versions that every node has, if the
/// text lacks them. Invalid: no Node, two with the same name, or other objects than ResourceSlices.
Result<std::vector<agent::HostedNode>> MakeNodes(const NodeTemplate& from);

/// Returns the status of a node whose template sets none.
std::string DefaultNodeStatus(const NodeTemplate& from);

}  // namespace plimsoll::runner
