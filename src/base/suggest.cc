#include "base/suggest.h"

#include <algorithm>
#include <vector>

#include "base/limits.h"

namespace plimsoll {
namespace {}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> Nearest(std::string_view word, std::span<const std::string> known) {
  if (word.empty() || word.size() > kSuggestedWordBytesMax) return std::nullopt;
  std::optional<std::string> nearest;
  std::size_t distance_min = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kSuggestedWordBytesMax) continue;
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < distance_min) {
      distance_min = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace plimsoll
