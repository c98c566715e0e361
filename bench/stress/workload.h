#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::bench {

/// Form in which the pods name the nodes they accept. Every form accepts the same nodes.
enum class Flavour : std::uint8_t {
  Mixed,    // a fifth each: numbers, versions, expressions, lists of values, and Exists
  Numeric,  // numbers alone: Lt and Gt, with NoSchedule and NoExecute
  Plain,    // upstream's operators alone: lists of values instead of comparisons, and Exists
};
std::string_view ToText(Flavour flavour);

/// Taints of a node go from 0 to below this; pods that are choosy accept the better half.
inline constexpr std::size_t kValues = 10;

std::string NodeText(Flavour flavour, std::size_t number);
/// A merge patch: the node says that value from now on, as a number and as a version. It also takes
/// away the taint of new nodes, as no agent lives there to say that it is ready.
std::string TaintPatch(Flavour flavour, std::size_t value);

/// `sent` stands where a watcher finds it.
std::string PodText(Flavour flavour, std::size_t number, std::string_view sent);
std::string PodTarget(std::size_t number);

}  // namespace plimsoll::bench
