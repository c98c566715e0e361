#pragma once

#include <array>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

struct BigDecimal;

/// A Kubernetes resource quantity: an exact decimal number with the suffix family that it is
/// printed in. Numbers finer than a nano are rounded up, numbers with a binary suffix are capped
/// at 2^63-1, as upstream does. Ordinary values live in the object; what 64 bits cannot hold is
/// immutable and shared by the copies.
class Quantity {
 public:
  enum class Format : std::uint8_t { DecimalExponent, BinarySI, DecimalSI };

  /// Upstream computes with any number of digits. Here a text is refused that asks for more than
  /// this, in itself or by its exponent, as a short one could cost minutes otherwise.
  static constexpr std::int32_t kDigitsMax = 4096;

  Quantity() = default;
  static Quantity FromInt(std::int64_t value, Format format = Format::DecimalSI);
  static Quantity FromMilli(std::int64_t value, Format format = Format::DecimalSI);

  /// Messages are upstream's: `quantities must match the regular expression '…'`,
  /// `unable to parse quantity's suffix`, …
  static Result<Quantity> Parse(std::string_view text);
  /// Likewise, and takes exponents beyond kDigitsMax where nothing has to be computed for it: a
  /// number of few digits before many zeros. Such a quantity is wide: it can be compared, printed
  /// and asked what it is, but not written out or added to.
  static Result<Quantity> ParseWide(std::string_view text);
  /// Whether ParseWide takes the text. Computes no number, so it is fast for long ones.
  static bool IsWideQuantity(std::string_view text);
  bool is_wide() const { return scale_ > kDigitsMax; }
  /// What a JSON or YAML scalar means: as Parse, but blanks around the text are dropped.
  static Result<Quantity> FromScalar(std::string_view text);

  Format format() const { return format_; }
  bool is_zero() const { return sign() == 0; }
  int sign() const;

  /// Rounded up to whole units, or thousandths; wraps where upstream wraps.
  std::int64_t Value() const;
  std::int64_t MilliValue() const;
  /// The exact whole number, where upstream finds one without big arithmetic: not behind a decimal
  /// point, not of a number that was too large once.
  std::optional<std::int64_t> AsInt64() const;
  double AsApproximateDouble() const;
  /// About how many digits the number takes without suffix and exponent: what arithmetic with it
  /// may have to go over.
  std::size_t DigitsWrittenOut() const;

  /// As upstream prints it: the text it was parsed from where that is already canonical enough, or
  /// the canonical form. Copies print the same; arithmetic forgets the text.
  std::string Text() const;
  /// The exponent or suffix is as large as possible without a decimal point. A suffix family has
  /// an end: beyond it the suffix is missing, as it is upstream.
  std::string Canonical() const;
  /// The exact plain decimal digits, without suffix.
  std::string Digits() const;

  /// A zero takes over the other's format.
  void Add(const Quantity& other);
  void Sub(const Quantity& other);
  std::strong_ordering Compare(const Quantity& other) const;

  /// The same number, however it is written.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.Compare(b) == 0; }

 private:
  struct Large;  // a number beyond 64 bits, or a long original text
  friend void intrusive_ptr_add_ref(const Large* large);
  friend void intrusive_ptr_release(const Large* large);

  struct Scan;
  static bool IsSmall(const Scan& scan);
  static Quantity ParseSmall(const Scan& scan, std::string_view text);
  static Result<Quantity> ParseBig(const Scan& scan);

  /// The number when it is not in value_ and scale_.
  const BigDecimal* big() const;
  BigDecimal ToBig() const;
  void SetBig(BigDecimal number);
  void SetText(std::string_view text);
  void ForgetText();
  /// False, and nothing is changed, when the sum does not fit.
  bool AddSmall(std::int64_t value, std::int32_t scale);
  std::int64_t ScaledValue(std::int32_t scale) const;
  bool IsWhole() const;
  bool IsWithin1024() const;
  std::string DecimalText(Format format) const;
  std::string BinaryText() const;

  static constexpr std::size_t kInlineTextBytesMax = 10;

  std::int64_t value_ = 0;  // value_ * 10^scale_, unless large_ holds the number
  std::int32_t scale_ = 0;
  Format format_ = Format::DecimalSI;
  std::uint8_t text_bytes_ = 0;  // 0: there is no text in text_
  std::array<char, kInlineTextBytesMax> text_{};
  boost::intrusive_ptr<const Large> large_;
};

}  // namespace plimsoll
