#pragma once

#include <string_view>

/// Text searches in linear time. Those of the standard library are quadratic, so two long texts of
/// the same letter could take hours.
namespace plimsoll::cel {

/// Same result as text.find(part, from).
std::size_t FindText(std::string_view text, std::string_view part, std::size_t from = 0);
/// Same result as text.rfind(part, from).
std::size_t FindLastText(std::string_view text, std::string_view part, std::size_t from);

}  // namespace plimsoll::cel
