#include "cel/library/find_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

namespace plimsoll::cel {
namespace {

/// Up to this size the standard library's search is faster, even in its worst case.
constexpr std::size_t kSimpleMax = 32;
constexpr std::size_t kBits = 64;
constexpr std::size_t kFalseHitsMax = 8;

/// Shift-or search, which reads each byte once. Bit i of `state` is clear if the last i + 1 bytes
/// equal the first i + 1 of the part. For a part longer than 64 bytes, searches for its beginning;
/// after too many false hits, glibc's two-way search takes over.
std::size_t FindByBits(std::string_view text, std::string_view part, std::size_t from) {
  const std::size_t length = std::min(part.size(), kBits);
  std::array<std::uint64_t, 256> differs;
  differs.fill(UINT64_MAX);
  for (std::size_t i = 0; i < length; ++i) {
    differs[static_cast<unsigned char>(part[i])] &= ~(std::uint64_t{1} << i);
  }
  const std::uint64_t last = std::uint64_t{1} << (length - 1);
  std::uint64_t state = UINT64_MAX;
  std::size_t false_hits = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    state = state << 1 | differs[static_cast<unsigned char>(text[at])];
    if ((state & last) != 0) [[likely]]
      continue;
    const std::size_t start = at + 1 - length;
    if (text.substr(start, part.size()) == part) return start;
    if (++false_hits < kFalseHitsMax) continue;
    const void* const found =
        memmem(text.data() + start, text.size() - start, part.data(), part.size());
    return found == nullptr
               ? std::string_view::npos
               : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t FindText(std::string_view text, std::string_view part, std::size_t from) {
  if (part.size() < 2) return text.find(part, from);
  if (from > text.size() || text.size() - from < part.size()) return std::string_view::npos;
  // Short searches are not worth the setup of FindByBits.
  const std::size_t near = text.substr(0, from + kSimpleMax + part.size() - 1).find(part, from);
  if (near != std::string_view::npos || text.size() - from < kSimpleMax + part.size()) return near;
  return FindByBits(text, part, from + kSimpleMax);
}

std::size_t FindLastText(std::string_view text, std::string_view part, std::size_t from) {
  if (part.size() < 2 || text.size() <= kSimpleMax) return text.rfind(part, from);
  if (part.size() > text.size()) return std::string_view::npos;
  // Finds the first match in the reversed text, up to the end of the last candidate.
  const std::size_t end = std::min(from, text.size() - part.size()) + part.size();
  const std::string mirrored(text.rend() - static_cast<std::ptrdiff_t>(end), text.rend());
  const std::string wanted(part.rbegin(), part.rend());
  const std::size_t found = FindText(mirrored, wanted);
  return found == std::string_view::npos ? found : end - found - part.size();
}

}  // namespace plimsoll::cel
