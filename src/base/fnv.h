#pragma once

#include <cstdint>
#include <string_view>

namespace plimsoll {

/// FNV-1a hash: the same for a text in every process and version. Not for input that an attacker
/// may choose in order to cause collisions.
constexpr std::uint64_t Fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace plimsoll
