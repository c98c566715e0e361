#pragma once

#include <string_view>

/// Searches that stay linear whatever the texts are. Those of the standard library try every place
/// anew, which two long texts of the same letter turn into hours.
namespace plimsoll::cel {

/// As text.find(part, from).
std::size_t FindText(std::string_view text, std::string_view part, std::size_t from = 0);
/// As text.rfind(part, from).
std::size_t FindLastText(std::string_view text, std::string_view part, std::size_t from);

}  // namespace plimsoll::cel
