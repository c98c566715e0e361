#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_path.h"
#include "match/hint.h"

namespace plimsoll::match {

/// Source of the compared value. It determines how integers are parsed and the noun in
/// messages.
enum class Published : std::uint8_t { Taint, Label };

/// A comparison with a threshold: `Gt 950`, `SemverLt 1.2.3`.
struct Threshold {
  Published side = Published::Taint;
  std::string_view op;  // Gt, Lt, SemverGt, SemverLt, SemverEq; others give no hints
  std::string_view operand;
};

/// Adds StrictThreshold, PrereleaseTrap, ThresholdUnmet and NeverMatches hints, each at most once.
void AddThresholdHints(const Threshold& threshold, std::span<const PublishedValue> values,
                       const api::FieldPath& at, std::vector<Hint>& hints);

}  // namespace plimsoll::match
