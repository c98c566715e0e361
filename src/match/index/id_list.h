#pragma once

#include <span>
#include <string_view>

#include "base/interner.h"

/// Converts lists of ids to text and back, so that an Interner can give equal lists one id.
namespace plimsoll::match {

inline std::string_view AsText(std::span<const Interner::Id> ids) {
  return {reinterpret_cast<const char*>(ids.data()), ids.size_bytes()};
}

inline std::span<const Interner::Id> AsIds(std::string_view text) {
  return {reinterpret_cast<const Interner::Id*>(text.data()), text.size() / sizeof(Interner::Id)};
}

}  // namespace plimsoll::match
