#pragma once

namespace plimsoll {

/// Same as Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII blank.
bool IsPrintable(char32_t rune);

}  // namespace plimsoll
