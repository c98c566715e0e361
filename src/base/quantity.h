#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// A Kubernetes resource quantity: an exact decimal number with the suffix family that it is
/// printed in. Numbers finer than a nano are rounded up, numbers beyond 2^63-1 are capped, as
/// upstream does.
class Quantity {
 public:
  enum class Format : std::uint8_t { DecimalExponent, BinarySI, DecimalSI };

  Quantity() = default;
  static Quantity FromInt(std::int64_t value, Format format = Format::DecimalSI);
  static Quantity FromMilli(std::int64_t value, Format format = Format::DecimalSI);

  /// Messages are upstream's: `quantities must match the regular expression '…'`,
  /// `unable to parse quantity's suffix`, …
  static Result<Quantity> Parse(std::string_view text);
  /// What a JSON or YAML scalar means: as Parse, but blanks around the text are dropped.
  static Result<Quantity> FromScalar(std::string_view text);

  Format format() const;
  bool is_zero() const;
  int sign() const;

  /// Rounded up to whole units, or thousandths; wraps where upstream wraps.
  std::int64_t Value() const;
  std::int64_t MilliValue() const;
  /// The exact whole number, where there is one that fits.
  std::optional<std::int64_t> AsInt64() const;
  double AsApproximateDouble() const;

  /// As upstream prints it: the text it was parsed from where that is already canonical enough, or
  /// the canonical form.
  std::string Text() const;
  std::string Canonical() const;
  /// The exact plain decimal digits, without suffix.
  std::string Digits() const;

  void Add(const Quantity& other);
  void Sub(const Quantity& other);
  std::strong_ordering Compare(const Quantity& other) const;
};

}  // namespace plimsoll
