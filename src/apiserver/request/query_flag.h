#pragma once

#include <algorithm>
#include <string_view>

#include "base/text/ascii.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Reads the value of a boolean query parameter as upstream does. Everything but `0` and `false`
/// means true, also an empty value. Case does not matter.
inline bool IsTrueText(std::string_view text) {
  return text != "0" && !std::ranges::equal(text, std::string_view("false"), {}, ToLower);
}

/// Returns the first value of a boolean query parameter, false if there is none.
inline bool QueryFlag(const net::Target& target, std::string_view name) {
  return target.HasQuery(name) && IsTrueText(target.Query(name));
}

}  // namespace plimsoll::apiserver
