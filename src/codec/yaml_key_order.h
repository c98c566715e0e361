#pragma once

#include <string_view>

namespace plimsoll::codec {

/// The order in which goyaml.v2 writes the keys of a mapping: numbers inside a key by their value
/// (`a2` before `a10`), letters behind all other characters. Characters beyond ASCII count as
/// letters. Not a strict weak order (`1a` < `2` < `10` < `1a`), so it is not for std::sort.
bool YamlKeyBefore(std::string_view a, std::string_view b);

}  // namespace plimsoll::codec
