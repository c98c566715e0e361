#pragma once

#include <cstddef>

#include "codec/value.h"

namespace plimsoll::codec {

/// Returns an upper bound of the memory that Document::Clone needs for the tree. A document with
/// this size holds the copy in one block.
std::size_t CloneBytes(const Value& tree);

}  // namespace plimsoll::codec
