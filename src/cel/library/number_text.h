#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Numbers as Go's package strconv parses and formats them.
namespace plimsoll::cel {

/// FormatFloat(value, 'g', -1): the shortest text that identifies the number, with an exponent
/// below 1e-4 and from 1e6 on: `0.1`, `1e+06`, `+Inf`.
std::string ShortestText(double value);
/// FormatFloat(value, 'f', -1): the same without an exponent. From 2^53 on Go pads with zeros and
/// this writes the exact digits; the seconds of a duration stay far below.
std::string FixedText(double value);

/// ParseFloat: decimal or hexadecimal, with underscores between digits, `inf`, `nan` in any case.
/// Returns nothing if the text is no number, or one too large for a double.
std::optional<double> ParseDouble(std::string_view text);

/// ParseBool: `1`, `t`, `T`, `true`, `TRUE`, `True` and their opposites.
std::optional<bool> ParseBool(std::string_view text);

}  // namespace plimsoll::cel
