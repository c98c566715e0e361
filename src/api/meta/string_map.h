#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::api {

/// Small map of texts, sorted by key: labels, annotations, node selectors. The texts belong to the
/// document that the map was decoded from.
class StringMap {
 public:
  using Entry = std::pair<std::string_view, std::string_view>;

  StringMap() = default;
  StringMap(std::initializer_list<Entry> entries) : StringMap(std::vector<Entry>(entries)) {}
  /// Sorts the entries; if keys are equal, the last entry is kept.
  explicit StringMap(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::ranges::stable_sort(entries_, {}, &Entry::first);
    const auto first_kept =
        std::unique(entries_.rbegin(), entries_.rend(),
                    [](const Entry& a, const Entry& b) { return a.first == b.first; });
    entries_.erase(entries_.begin(), first_kept.base());
  }

  std::optional<std::string_view> Find(std::string_view key) const {
    const auto found = std::ranges::lower_bound(entries_, key, {}, &Entry::first);
    if (found == entries_.end() || found->first != key) return std::nullopt;
    return found->second;
  }
  bool Has(std::string_view key) const { return Find(key).has_value(); }

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  friend bool operator==(const StringMap&, const StringMap&) = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace plimsoll::api
