// Compares a threshold with every known value. Numbers and versions share the code: parse both
// sides, compare, and remember the closest value that misses the threshold.

#include "match/threshold_hint.h"

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/decimal.h"
#include "base/go_text.h"
#include "base/semver.h"
#include "base/syntax.h"

namespace plimsoll::match {
namespace {

enum class Side : std::uint8_t { Above, Below, Same };

std::string Words(const Threshold& threshold) {
  return std::string(threshold.op) + " " + std::string(threshold.operand);
}

std::string NodeHas(const PublishedValue& value) {
  return "node " + std::string(value.node) + " has " + std::string(value.text);
}

std::string_view Noun(Published side) { return side == Published::Taint ? "taint" : "label"; }

/// Returns true if a value with this order relative to the operand satisfies the operator.
bool Meets(Side wanted, std::weak_ordering order) {
  switch (wanted) {
    case Side::Above:
      return order > 0;
    case Side::Below:
      return order < 0;
    case Side::Same:
      return order == 0;
  }
  return false;
}

/// Summary of the values of one comparison, parsed as `T`.
template <class T>
struct Survey {
  bool met = false;
  std::optional<PublishedValue> equal;       // equal to the operand
  std::optional<PublishedValue> unreadable;  // the first that does not parse
  std::optional<PublishedValue> nearest;     // closest of those that miss the threshold
  T nearest_value{};
};

template <class T, class Read, class Order>
Survey<T> Look(Side wanted, const T& operand, std::span<const PublishedValue> values, Read read,
               Order order) {
  Survey<T> survey;
  for (const PublishedValue& value : values) {
    const std::optional<T> parsed = read(value.text);
    if (!parsed) {
      if (!survey.unreadable) survey.unreadable = value;
      continue;
    }
    const std::weak_ordering to_operand = order(*parsed, operand);
    survey.met |= Meets(wanted, to_operand);
    if (to_operand == 0 && !survey.equal) survey.equal = value;
    if (Meets(wanted, to_operand)) continue;
    // For Gt the highest value is closest, for Lt the lowest. For equality, take the
    // first.
    const bool nearer = !survey.nearest ||
                        (wanted == Side::Above && order(*parsed, survey.nearest_value) > 0) ||
                        (wanted == Side::Below && order(*parsed, survey.nearest_value) < 0);
    if (!nearer) continue;
    survey.nearest = value;
    survey.nearest_value = *parsed;
  }
  return survey;
}

template <class T>
void AddUnmet(const Threshold& threshold, const Survey<T>& survey, std::string_view type,
              const api::FieldPath& at, std::vector<Hint>& hints) {
  if (survey.met) return;
  std::string message = "no given node meets " + Words(threshold);
  if (survey.nearest) {
    message += "; the nearest is " + std::string(survey.nearest->text) + " (node " +
               std::string(survey.nearest->node) + ")";
  } else if (survey.unreadable) {
    message += ": " + NodeHas(*survey.unreadable) + ", which is not " + std::string(type);
  } else {
    return;  // no node publishes the key: nothing to compare
  }
  hints.push_back({HintKind::ThresholdUnmet, at.Text(), std::move(message)});
}

// Numbers.

std::optional<std::int64_t> ReadNumber(Published side, std::string_view text) {
  if (side == Published::Taint) return DecimalValue(text);
  const Result<std::int64_t> parsed = GoParseInt(text);
  return parsed ? std::optional(*parsed) : std::nullopt;
}

/// Returns true if no valid value can meet the threshold.
bool NeverMet(Side wanted, std::int64_t operand) {
  // Values have the syntax of label values, which cannot begin with a minus.
  if (wanted == Side::Below) return operand <= 0;
  return operand == std::numeric_limits<std::int64_t>::max();
}

std::string NeverMetText(const Threshold& threshold, Side wanted) {
  const std::string noun(Noun(threshold.side));
  const std::string why = wanted == Side::Below ? "a " + noun + " value cannot be negative"
                                                : "no 64-bit integer is greater";
  return Words(threshold) + " never matches: " + why;
}

void AddNumberHints(const Threshold& threshold, Side wanted, std::span<const PublishedValue> values,
                    const api::FieldPath& at, std::vector<Hint>& hints) {
  const auto operand = ReadNumber(threshold.side, threshold.operand);
  if (!operand) return;  // validation rejects it, or allows it as a mismatch
  if (NeverMet(wanted, *operand)) {
    hints.push_back({HintKind::NeverMatches, at.Text(), NeverMetText(threshold, wanted)});
    return;
  }
  const auto survey = Look<std::int64_t>(
      wanted, *operand, values,
      [&](std::string_view text) { return ReadNumber(threshold.side, text); },
      [](std::int64_t a, std::int64_t b) { return std::weak_ordering(a <=> b); });
  if (!survey.equal) return AddUnmet(threshold, survey, "an integer", at, hints);

  std::string message = Words(threshold) + " excludes " + std::to_string(*operand);
  const std::int64_t edge = wanted == Side::Above ? std::numeric_limits<std::int64_t>::min()
                                                  : std::numeric_limits<std::int64_t>::max();
  if (*operand != edge) {
    const std::int64_t including = *operand + (wanted == Side::Above ? -1 : 1);
    message += "; " + std::string(threshold.op) + " " + std::to_string(including) + " includes it";
  }
  message += " (" + NodeHas(*survey.equal) + ")";
  hints.push_back({HintKind::StrictThreshold, at.Text(), std::move(message)});
}

// Versions.

std::optional<Semver> ReadVersion(std::string_view text) {
  Result<Semver> parsed = ParseSemverTolerant(text);
  return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
}

bool SameRelease(const Semver& a, const Semver& b) {
  return a.major == b.major && a.minor == b.minor && a.patch == b.patch;
}

/// Returns the first value of the operand's release with a suffix. It sorts below the operand,
/// because the suffix parses as a pre-release.
std::optional<PublishedValue> FindPrerelease(const Semver& operand,
                                             std::span<const PublishedValue> values) {
  if (!operand.prerelease.empty()) return std::nullopt;
  for (const PublishedValue& value : values) {
    const auto parsed = ReadVersion(value.text);
    if (parsed && !parsed->prerelease.empty() && SameRelease(*parsed, operand)) return value;
  }
  return std::nullopt;
}

bool CannotBePublished(const Semver& version) {
  Semver bare = version;
  bare.build.clear();
  return !CheckLabelValue(bare.Text()).empty();
}

void AddVersionHints(const Threshold& threshold, Side wanted,
                     std::span<const PublishedValue> values, const api::FieldPath& at,
                     std::vector<Hint>& hints) {
  const auto operand = ReadVersion(threshold.operand);
  if (!operand) return;
  if (wanted == Side::Same && CannotBePublished(*operand)) {
    hints.push_back({HintKind::NeverMatches, at.Text(),
                     Words(threshold) + " never matches: such a version is not a valid " +
                         std::string(Noun(threshold.side)) + " value"});
    return;
  }
  if (const auto trap = FindPrerelease(*operand, values)) {
    hints.push_back({HintKind::PrereleaseTrap, at.Text(),
                     std::string(trap->text) + " sorts below " + std::string(threshold.operand) +
                         ": it reads as a pre-release (" + NodeHas(*trap) + ")"});
    return;
  }
  const auto survey = Look<Semver>(wanted, *operand, values, ReadVersion, Compare);
  if (wanted == Side::Same || !survey.equal) {
    return AddUnmet(threshold, survey, "a version", at, hints);
  }
  hints.push_back({HintKind::StrictThreshold, at.Text(),
                   Words(threshold) + " excludes " + std::string(threshold.operand) +
                       "; SemverEq " + std::string(threshold.operand) + " beside it includes it (" +
                       NodeHas(*survey.equal) + ")"});
}

}  // namespace

void AddThresholdHints(const Threshold& threshold, std::span<const PublishedValue> values,
                       const api::FieldPath& at, std::vector<Hint>& hints) {
  if (threshold.op == "Gt") return AddNumberHints(threshold, Side::Above, values, at, hints);
  if (threshold.op == "Lt") return AddNumberHints(threshold, Side::Below, values, at, hints);
  if (threshold.op == "SemverGt") return AddVersionHints(threshold, Side::Above, values, at, hints);
  if (threshold.op == "SemverLt") return AddVersionHints(threshold, Side::Below, values, at, hints);
  if (threshold.op == "SemverEq") return AddVersionHints(threshold, Side::Same, values, at, hints);
}

}  // namespace plimsoll::match
