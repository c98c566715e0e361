#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// Returns how many columns of a terminal the text takes: two for wide characters of East Asia and
/// emoji, none for combining marks. REQUIRES: the text is printable, see Printable.
std::size_t DisplayWidth(std::string_view text);

/// Returns the text with control characters escaped: `^[` for ESC and `\r`, as kubectl does, else
/// `\n`, `\x07`, `\u009b`. Also escapes bytes that are not UTF-8, and characters that reorder the
/// text or are invisible. Names and annotations of objects can so not control the terminal.
std::string Printable(std::string_view text);

/// Splits a line at blanks so that its parts fit. Words that are too long are split anywhere. The
/// first part has at most `first` columns, the others at most `rest`. REQUIRES: the text is
/// printable, `first` and `rest` are at least 2.
std::vector<std::string_view> FoldLine(std::string_view text, std::size_t first, std::size_t rest);

}  // namespace plimsoll::cli
