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

/// Taint values are 0 … kValues - 1; selective pods accept half of them.
inline constexpr std::size_t kValues = 10;

std::string NodeText(Flavour flavour, std::size_t number);
/// Returns a merge patch that sets the node's taints to this value, as a number and as a version.
/// It also removes the not-ready taint, because no kubelet runs there.
std::string TaintPatch(Flavour flavour, std::size_t value);

/// `sent` becomes an annotation that a watcher searches for.
std::string PodText(Flavour flavour, std::size_t number, std::string_view sent);
std::string PodTarget(std::size_t number);

}  // namespace plimsoll::bench
