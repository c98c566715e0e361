#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta/string_map.h"
#include "base/result.h"

namespace plimsoll::api {

/// One condition on a field. A field that an object lacks counts as empty.
struct FieldRequirement {
  std::string field;
  bool is_equal = true;  // false: `!=`
  std::string value;

  friend bool operator==(const FieldRequirement&, const FieldRequirement&) = default;
};

/// `metadata.name=web,spec.nodeName!=` : which objects are meant, by their fields. Which fields a
/// kind lets be asked for is not decided here. Owns its texts.
class FieldSelector {
 public:
  /// Matches everything.
  FieldSelector() = default;

  /// BadRequest with upstream's words.
  static Result<FieldSelector> Parse(std::string_view text);

  bool Matches(const StringMap& fields) const;
  bool empty() const { return requirements_.empty(); }
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }

  /// `,`, `=` and `\` in values are written with a `\` before them. Parse of it gives the
  /// same requirements, if in another order where `==` was written.
  std::string Text() const;

  friend bool operator==(const FieldSelector&, const FieldSelector&) = default;

 private:
  std::vector<FieldRequirement> requirements_;
};

}  // namespace plimsoll::api
