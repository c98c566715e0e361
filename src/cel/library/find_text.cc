#include "cel/library/find_text.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace plimsoll::cel {
namespace {

/// Below this many pairs of letters the simple search is faster, at worst.
constexpr std::size_t kPairsMax = 1 << 20;

bool IsSimple(std::string_view text, std::string_view part) {
  return part.size() < 2 || text.size() < kPairsMax / part.size();
}

}  // namespace

std::size_t FindText(std::string_view text, std::string_view part, std::size_t from) {
  if (IsSimple(text, part)) return text.find(part, from);
  if (from > text.size()) return std::string_view::npos;
  // Two-way search, in glibc.
  const void* const found =
      memmem(text.data() + from, text.size() - from, part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::size_t FindLastText(std::string_view text, std::string_view part, std::size_t from) {
  if (IsSimple(text, part)) return text.rfind(part, from);
  if (part.size() > text.size()) return std::string_view::npos;
  // The first in the mirror image of the text up to the end of the last candidate.
  const std::size_t end = std::min(from, text.size() - part.size()) + part.size();
  const std::string mirrored(text.rend() - static_cast<std::ptrdiff_t>(end), text.rend());
  const std::string wanted(part.rbegin(), part.rend());
  const std::size_t found = FindText(mirrored, wanted);
  return found == std::string_view::npos ? found : end - found - part.size();
}

}  // namespace plimsoll::cel
