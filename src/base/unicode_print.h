#pragma once

namespace plimsoll {

/// What Go calls printable: letters, marks, numbers, punctuation, symbols and the ASCII blank.
bool IsPrintable(char32_t rune);

}  // namespace plimsoll
