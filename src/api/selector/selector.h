#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta/label_selector.h"
#include "api/meta/string_map.h"
#include "api/selector/requirement.h"
#include "base/result.h"

namespace plimsoll::api {

/// Which label sets are meant: all requirements must hold. Owns its texts. Immutable once made,
/// hence safe for use by many threads.
class Selector {
 public:
  /// Matches every set.
  Selector() = default;
  static Selector Everything() { return {}; }
  static Selector Nothing();
  /// All of them; they are put in the order of their keys.
  static Selector Of(std::vector<Requirement> requirements);

  /// The object form. An empty one matches everything; null is for a selector that was not given,
  /// and matches nothing. Invalid with upstream's words.
  static Result<Selector> FromObject(const LabelSelector* object);

  /// kubectl's form: `a in (b,c),!d,e!=f,x>5`. BadRequest with upstream's words.
  static Result<Selector> Parse(std::string_view text);

  bool Matches(const StringMap& labels) const;
  /// No requirement, so every set matches.
  bool empty() const { return is_selectable_ && requirements_.empty(); }
  /// False for Nothing, which no list of requirements can express.
  bool is_selectable() const { return is_selectable_; }
  const std::vector<Requirement>& requirements() const { return requirements_; }

  /// In kubectl's form; Parse of it gives an equal selector, save for Nothing, which has no text.
  std::string Text() const;

 private:
  std::vector<Requirement> requirements_;
  bool is_selectable_ = true;
};

/// For people: `<none>` when there is nothing to print, `<error>` for a selector that is not valid.
std::string FormatLabelSelector(const LabelSelector* object);

}  // namespace plimsoll::api
