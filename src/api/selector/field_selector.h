#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta/string_map.h"
#include "base/result.h"

namespace plimsoll::api {

/// One condition on a field. A missing field counts as empty.
struct FieldRequirement {
  std::string field;
  bool is_equal = true;  // false: `!=`
  std::string value;

  friend bool operator==(const FieldRequirement&, const FieldRequirement&) = default;
};

/// A field selector: `metadata.name=web,spec.nodeName!=`. Does not check which fields a
/// kind supports. Owns its texts.
class FieldSelector {
 public:
  /// Matches everything.
  FieldSelector() = default;

  /// BadRequest in upstream's words.
  static Result<FieldSelector> Parse(std::string_view text);

  bool Matches(const StringMap& fields) const;
  bool empty() const { return requirements_.empty(); }
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }

  /// Returns the selector with `,`, `=` and `\` in values escaped by `\`. Parsing it gives the same
  /// requirements, possibly in another order where `==` was written.
  std::string Text() const;

  friend bool operator==(const FieldSelector&, const FieldSelector&) = default;

 private:
  std::vector<FieldRequirement> requirements_;
};

}  // namespace plimsoll::api
