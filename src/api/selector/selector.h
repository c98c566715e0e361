#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta/label_selector.h"
#include "api/meta/string_map.h"
#include "api/selector/requirement.h"
#include "base/result.h"

namespace plimsoll::api {

/// A label selector: all requirements must match. Owns its texts. Immutable once made, hence
/// safe for use by many threads.
class Selector {
 public:
  /// Matches every set.
  Selector() = default;
  static Selector Everything() { return {}; }
  static Selector Nothing();
  /// Makes a selector of these requirements, sorted by key.
  static Selector Of(std::vector<Requirement> requirements);

  /// Makes a selector from the object form. An empty one matches everything; null, for a missing
  /// selector, matches nothing. Invalid in upstream's words.
  static Result<Selector> FromObject(const LabelSelector* object);

  /// Parses kubectl's form: `a in (b,c),!d,e!=f,x>5`. BadRequest in upstream's words.
  static Result<Selector> Parse(std::string_view text);

  bool Matches(const StringMap& labels) const;
  /// Returns true if there are no requirements, so that every set matches.
  bool empty() const { return is_selectable_ && requirements_.empty(); }
  /// Returns false for Nothing, which no list of requirements can express.
  bool is_selectable() const { return is_selectable_; }
  const std::vector<Requirement>& requirements() const { return requirements_; }

  /// Returns kubectl's form, which parses to an equal selector. Nothing has no text.
  std::string Text() const;

 private:
  std::vector<Requirement> requirements_;
  bool is_selectable_ = true;
};

/// Formats for people: `<none>` for a missing or empty selector, `<error>` for an invalid one.
std::string FormatLabelSelector(const LabelSelector* object);

}  // namespace plimsoll::api
