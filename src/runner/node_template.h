#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/node_status.h"
#include "base/result.h"

/// Many nodes out of one description.
namespace plimsoll::runner {

/// Fills in what stands between `{{` and `}}` for the node of that number:
///  - `i`, with `+`, `-`, `*`, `/`, `%` and a number behind it, any number of times, from left to
///    right: `{{i/10%3+1}}`; and `:N` at the end for at least N digits: `{{i:3}}` is 007;
///  - or words with `|` between them, of which each node takes the next: `{{a|b|c}}`.
/// Invalid: anything else.
/// With a number of a device, `d` stands for that one: `{{d}}`, `{{d%2}}`, `{{d|a|b|c}}`.
Result<std::string> FillIn(std::string_view text, std::int64_t number,
                           std::optional<std::int64_t> device = std::nullopt);

struct NodeTemplate {
  /// A Node as YAML, with patterns; empty: the built-in one. ResourceSlices may follow: the node's
  /// devices.
  std::string text;
  std::size_t count = 0;     // of nodes
  std::int64_t first = 0;    // the first one's number
  std::string version;       // of the kubelet, where the text names none
  std::string runtime = {};  // likewise, of the container runtime
};

/// The nodes of a template, with the labels, resources and versions that every node has where the
/// text leaves them out. Invalid: no Node, or two of one name, or what follows is no ResourceSlice.
Result<std::vector<agent::HostedNode>> MakeNodes(const NodeTemplate& from);

/// Of a node without capacity.
std::string DefaultNodeStatus(const NodeTemplate& from);

}  // namespace plimsoll::runner
