#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace plimsoll::api {

/// Set of texts for finding duplicates. Most lists are short, so the first texts are kept inline
/// and compared one by one. Long lists, which only an attacker sends, use a tree.
class SeenTexts {
 public:
  /// Returns false if the text was inserted before. The text must outlive this.
  bool Insert(std::string_view text) {
    if (Has(text)) return false;
    if (count_ < few_.size()) {
      few_[count_++] = text;
    } else {
      many_.insert(text);
    }
    return true;
  }

  bool Has(std::string_view text) const {
    const auto end = few_.begin() + static_cast<std::ptrdiff_t>(count_);
    return std::find(few_.begin(), end, text) != end || many_.contains(text);
  }

 private:
  std::array<std::string_view, 16> few_;
  std::size_t count_ = 0;
  std::set<std::string_view> many_;
};

}  // namespace plimsoll::api
