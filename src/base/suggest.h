#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll {

/// How many letters must be inserted, dropped, replaced or swapped with their neighbour to turn one
/// word into the other.
std::size_t EditDistance(std::string_view a, std::string_view b);

/// The known word that was most likely meant: the nearest one, the first of equally near ones, and
/// none when all are so far off that a guess would mislead (more than a third of the letters).
std::optional<std::string> Nearest(std::string_view word, std::span<const std::string> known);

}  // namespace plimsoll
