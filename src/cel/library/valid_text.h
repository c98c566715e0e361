#pragma once

#include <string_view>

#include "base/text/utf8.h"
#include "cel/arena.h"

namespace plimsoll::cel {

/// Returns the text itself if it is UTF-8, or a copy with U+FFFD for each byte that is not.
inline std::string_view ToRunes(std::string_view text, Arena& arena) {
  return IsUtf8(text) ? text : arena.Copy(ToValidUtf8(text));
}

}  // namespace plimsoll::cel
