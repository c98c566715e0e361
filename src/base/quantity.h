#pragma once

#include <array>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"

namespace plimsoll {

struct BigDecimal;

/// A Kubernetes resource quantity: an exact decimal number and the suffix family for printing.
///
/// Like upstream, it rounds numbers finer than a nano up, and caps numbers with a binary suffix at
/// 2^63-1. Ordinary values are stored inline. A number beyond 64 bits is immutable, and all copies
/// share it.
class Quantity {
 public:
  enum class Format : std::uint8_t { DecimalExponent, BinarySI, DecimalSI };

  Quantity() = default;
  static Quantity FromInt(std::int64_t value, Format format = Format::DecimalSI);
  static Quantity FromMilli(std::int64_t value, Format format = Format::DecimalSI);

  /// Error messages are upstream's: `quantities must match the regular expression '…'`,
  /// `unable to parse quantity's suffix`, …
  static Result<Quantity> Parse(std::string_view text);
  /// Same as Parse, but also accepts an exponent beyond kQuantityDigitsMax after few digits,
  /// because that needs no arithmetic. Such a quantity is wide: it can be compared, printed and
  /// inspected, but not expanded to digits or added to.
  static Result<Quantity> ParseWide(std::string_view text);
  /// Returns true if ParseWide accepts the text. Computes no number, so it is fast for long texts.
  static bool IsWideQuantity(std::string_view text);
  bool is_wide() const { return scale_ > kQuantityDigitsMax; }
  /// Parses a JSON or YAML scalar: same as Parse, but ignores blanks around the text.
  static Result<Quantity> FromScalar(std::string_view text);

  Format format() const { return format_; }
  bool is_zero() const { return sign() == 0; }
  int sign() const;

  /// Number rounded up to whole units, or to thousandths; wraps where upstream wraps.
  std::int64_t Value() const;
  std::int64_t MilliValue() const;
  /// Returns the exact whole number if upstream computes it in 64 bits. Otherwise nullopt: it has
  /// decimals, or it was once too large for 64 bits.
  std::optional<std::int64_t> AsInt64() const;
  double AsApproximateDouble() const;
  /// Returns approximately how many digits the number has without suffix and exponent. Arithmetic
  /// may have to process as many.
  std::size_t DigitsWrittenOut() const;

  /// Prints as upstream does: the parsed text if upstream considers it canonical, otherwise the
  /// canonical form. Copies print the same. Arithmetic discards the parsed text.
  std::string Text() const;
  /// Returns the form with the largest exponent or suffix that needs no decimal point. Beyond the
  /// largest suffix of the family, the suffix is missing, as it is upstream.
  std::string Canonical() const;
  /// Returns the exact decimal digits, without suffix.
  std::string Digits() const;

  /// Adds the other number. A zero takes the format of `other`.
  void Add(const Quantity& other);
  void Sub(const Quantity& other);
  std::strong_ordering Compare(const Quantity& other) const;

  /// Compares the numbers, not their spelling.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.Compare(b) == 0; }

 private:
  struct Large;  // a number beyond 64 bits, or a long original text
  friend void intrusive_ptr_add_ref(const Large* large);
  friend void intrusive_ptr_release(const Large* large);

  struct Scan;
  static bool IsSmall(const Scan& scan);
  static Quantity ParseSmall(const Scan& scan, std::string_view text);
  static Result<Quantity> ParseBig(const Scan& scan);

  /// Returns the number if it is beyond 64 bits, otherwise null.
  const BigDecimal* big() const;
  BigDecimal ToBig() const;
  void SetBig(BigDecimal number);
  void SetText(std::string_view text);
  void ForgetText();
  /// Returns false and changes nothing if the sum does not fit into 64 bits.
  bool AddSmall(std::int64_t value, std::int32_t scale);
  std::int64_t ScaledValue(std::int32_t scale) const;
  bool IsWhole() const;
  bool IsWithin1024() const;
  std::string DecimalText(Format format) const;
  std::string BinaryText() const;

  static constexpr std::size_t kInlineTextBytesMax = 10;

  std::int64_t value_ = 0;  // the number is value_ * 10^scale_, unless large_ holds it
  std::int32_t scale_ = 0;
  Format format_ = Format::DecimalSI;
  std::uint8_t text_bytes_ = 0;  // 0: there is no text in text_
  std::array<char, kInlineTextBytesMax> text_{};
  boost::intrusive_ptr<const Large> large_;
};

}  // namespace plimsoll
