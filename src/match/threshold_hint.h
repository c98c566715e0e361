#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_path.h"
#include "match/hint.h"

namespace plimsoll::match {

/// Where the two sides of a comparison come from; they differ in how an integer is read and in what
/// a message calls it.
enum class Published : std::uint8_t { Taint, Label };

/// One comparison against a line: `Gt 950`, `SemverLt 1.2.3`.
struct Threshold {
  Published side = Published::Taint;
  std::string_view op;  // Gt, Lt, SemverGt, SemverLt, SemverEq; anything else has no hints
  std::string_view operand;
};

/// StrictThreshold, PrereleaseTrap, ThresholdUnmet and NeverMatches hints, each at most once.
void AddThresholdHints(const Threshold& threshold, std::span<const PublishedValue> values,
                       const api::FieldPath& at, std::vector<Hint>& hints);

}  // namespace plimsoll::match
