#pragma once

#include <string_view>

namespace plimsoll::codec {

/// Returns true if goyaml.v2 writes key `a` before `b`. It compares numbers inside a key by value
/// (`a2` before `a10`), and letters follow all other characters. Characters beyond ASCII count as
/// letters. Not a strict weak order (`1a` < `2` < `10` < `1a`), so it is not for std::sort.
bool YamlKeyBefore(std::string_view a, std::string_view b);

}  // namespace plimsoll::codec
