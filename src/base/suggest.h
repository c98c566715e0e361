#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

/// Returns how many letters must be inserted, deleted, replaced or swapped with their neighbour to
/// turn one word into the other.
std::size_t EditDistance(std::string_view a, std::string_view b);

/// Returns the known word that was most likely meant: the nearest one, or the first of several.
/// Returns nullopt if more than a third of the letters differ, because a guess would mislead.
std::optional<std::string> Nearest(std::string_view word, std::span<const std::string> known);

}  // namespace plimsoll
