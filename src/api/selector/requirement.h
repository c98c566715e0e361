#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/string_map.h"
#include "base/result.h"

namespace plimsoll::api {

enum class SelectorOperator : std::uint8_t {
  In,
  NotIn,
  Equals,        // a=b
  DoubleEquals,  // a==b; means the same, but is printed as it was written
  NotEquals,
  Exists,
  DoesNotExist,
  GreaterThan,
  LessThan,
};

/// Returns the operator's name in upstream's API: `in`, `notin`, `=`, `==`,
/// `!=`, `exists`, `!`, `gt`, `lt`.
std::string_view ToText(SelectorOperator op);

/// One condition on a set of labels. Owns its texts.
class Requirement {
 public:
  /// Invalid if the key or a value is no valid label text, or the number of values does not fit the
  /// operator. The message holds all faults, in upstream's words.
  static Result<Requirement> Make(std::string_view key, SelectorOperator op,
                                  std::span<const std::string_view> values);

  bool Matches(const StringMap& labels) const;

  const std::string& key() const { return key_; }
  SelectorOperator op() const { return op_; }
  /// Values, sorted. Duplicates from the object form are kept.
  const std::vector<std::string>& values() const { return values_; }

  /// Returns kubectl's form: `a in (b,c)`, `!d`, `e>5`.
  std::string Text() const;

 private:
  Requirement(std::string_view key, SelectorOperator op, std::span<const std::string_view> values);
  bool HasValue(std::string_view value) const;

  std::string key_;
  SelectorOperator op_;
  std::vector<std::string> values_;
  std::int64_t number_ = 0;  // for GreaterThan and LessThan
};

}  // namespace plimsoll::api
