#include "base/quantity.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/big_decimal.h"

// A quantity is value_ * 10^scale_ while that fits 64 bits, and a shared BigDecimal afterwards.
// Like upstream's, it never changes back; some results (AsInt64, Value) depend on that. Upstream
// prints a parsed number with its original text if that is nearly canonical. We store the text only
// if it differs from the canonical one (`1.024k`, `+5`, `1E3`). So nearly all quantities are four
// words without further memory. Parsing is in quantity_parse.cc.

namespace plimsoll {

struct Quantity::Large {
  explicit Large(BigDecimal number) : content(std::move(number)) {}
  explicit Large(std::string_view text) : content(std::string(text)) {}

  mutable std::atomic<std::uint32_t> references{0};
  std::variant<BigDecimal, std::string> content;
};

void intrusive_ptr_add_ref(const Quantity::Large* large) {
  large->references.fetch_add(1, std::memory_order_relaxed);
}

void intrusive_ptr_release(const Quantity::Large* large) {
  if (large->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete large;
}

namespace {

static_assert(sizeof(Quantity) == 32);

constexpr std::int32_t kMilli = -3;
constexpr std::int32_t kDigitsSafe = std::numeric_limits<std::int64_t>::digits10;

constexpr std::array<std::int64_t, kDigitsSafe + 1> kPowersOfTen = [] {
  std::array<std::int64_t, kDigitsSafe + 1> powers{};
  std::int64_t power = 1;
  for (std::int64_t& entry : powers) {
    entry = power;
    if (&entry != &powers.back()) power *= 10;
  }
  return powers;
}();

std::optional<std::int64_t> MultipliedByPowerOfTen(std::int64_t value, std::int64_t exponent) {
  if (value == 0) return 0;
  if (exponent > kDigitsSafe) return std::nullopt;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(value, kPowersOfTen[static_cast<std::size_t>(exponent)], &product)) {
    return std::nullopt;
  }
  return product;
}

/// Returns upstream's result if the product overflows: the wrapped product for exponents that it
/// multiplies by in one step, zero for others. The most negative number, which has no positive
/// counterpart, gives zero.
std::int64_t OverflowAnswer(std::int64_t value, std::int64_t exponent) {
  constexpr std::array<std::int64_t, 5> kAtOnce = {1, 2, 3, 6, 9};
  if (std::ranges::find(kAtOnce, exponent) == kAtOnce.end()) return 0;
  if (value == std::numeric_limits<std::int64_t>::min()) return 0;
  return static_cast<std::int64_t>(
      static_cast<std::uint64_t>(value) *
      static_cast<std::uint64_t>(kPowersOfTen[static_cast<std::size_t>(exponent)]));
}

std::int64_t DividedAway(std::int64_t value, std::int64_t exponent) {
  if (exponent > kDigitsSafe) return (value > 0) - (value < 0);
  const std::int64_t power = kPowersOfTen[static_cast<std::size_t>(exponent)];
  const std::int64_t remainder = value % power;
  return value / power + (remainder > 0) - (remainder < 0);
}

std::uint64_t Magnitude(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

/// Same as Go's math.Pow10, bit by bit: large exponents multiply or divide two rounded powers.
double PowerOfTen(std::int32_t exponent) {
  constexpr double kUnits[] = {1e00, 1e01, 1e02, 1e03, 1e04, 1e05, 1e06, 1e07, 1e08, 1e09, 1e10,
                               1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
                               1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31};
  constexpr double kUp[] = {1e00, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288};
  constexpr double kDown[] = {1e-00,  1e-32,  1e-64,  1e-96,  1e-128, 1e-160,
                              1e-192, 1e-224, 1e-256, 1e-288, 1e-320};
  if (exponent > 308) return std::numeric_limits<double>::infinity();
  if (exponent < -323) return 0;
  const auto size = static_cast<std::size_t>(std::abs(exponent));
  return exponent >= 0 ? kUp[size / 32] * kUnits[size % 32] : kDown[size / 32] / kUnits[size % 32];
}

std::string_view DecimalSuffix(std::int64_t exponent) {
  constexpr std::array<std::string_view, 10> kSuffixes = {"n", "u", "m", "",  "k",
                                                          "M", "G", "T", "P", "E"};
  const std::int64_t index = exponent / 3 + 3;
  if (index < 0 || index >= std::ssize(kSuffixes)) return "";
  return kSuffixes[static_cast<std::size_t>(index)];
}

std::string_view BinarySuffix(std::size_t exponent) {
  constexpr std::array<std::string_view, 7> kSuffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  return exponent < kSuffixes.size() ? kSuffixes[exponent] : "";
}

}  // namespace

Quantity Quantity::FromInt(std::int64_t value, Format format) {
  Quantity quantity;
  quantity.value_ = value;
  quantity.format_ = format;
  return quantity;
}

Quantity Quantity::FromMilli(std::int64_t value, Format format) {
  Quantity quantity = FromInt(value, format);
  quantity.scale_ = kMilli;
  return quantity;
}

const BigDecimal* Quantity::big() const {
  return large_ ? std::get_if<BigDecimal>(&large_->content) : nullptr;
}

BigDecimal Quantity::ToBig() const {
  if (const BigDecimal* const number = big()) return *number;
  return {value_, -scale_};
}

void Quantity::SetBig(BigDecimal number) {
  large_.reset(new Large(std::move(number)));
  value_ = 0;
  scale_ = 0;
}

void Quantity::SetText(std::string_view text) {
  PL_ASSERT(!large_);
  if (text.size() <= kInlineTextBytesMax) {
    std::ranges::copy(text, text_.begin());
    text_bytes_ = static_cast<std::uint8_t>(text.size());
  } else {
    large_.reset(new Large(text));
  }
}

void Quantity::ForgetText() {
  text_bytes_ = 0;
  if (large_ && big() == nullptr) large_.reset();
}

int Quantity::sign() const {
  if (const BigDecimal* const number = big()) return number->sign();
  return (value_ > 0) - (value_ < 0);
}

std::int64_t Quantity::ScaledValue(std::int32_t scale) const {
  if (const BigDecimal* const number = big()) return number->WrappedAt(-scale);
  const std::int64_t exponent = std::int64_t{scale_} - scale;
  if (exponent < 0) return DividedAway(value_, -exponent);
  const std::optional<std::int64_t> product = MultipliedByPowerOfTen(value_, exponent);
  return product ? *product : OverflowAnswer(value_, exponent);
}

std::int64_t Quantity::Value() const { return ScaledValue(0); }

std::int64_t Quantity::MilliValue() const { return ScaledValue(kMilli); }

std::optional<std::int64_t> Quantity::AsInt64() const {
  if (big() != nullptr || scale_ < 0) return std::nullopt;
  return MultipliedByPowerOfTen(value_, scale_);
}

double Quantity::AsApproximateDouble() const {
  const BigDecimal* const number = big();
  if (number == nullptr) {
    const auto base = static_cast<double>(value_);
    return scale_ == 0 ? base : base * PowerOfTen(scale_);
  }
  const double base = number->UnscaledAsDouble();
  return number->scale == 0 ? base : base * PowerOfTen(-number->scale);
}

std::size_t Quantity::DigitsWrittenOut() const {
  if (const BigDecimal* const number = big()) return number->DigitsWrittenOut();
  return kDigitsSafe + static_cast<std::size_t>(std::abs(std::int64_t{scale_}));
}

bool Quantity::AddSmall(std::int64_t value, std::int32_t scale) {
  if (value == 0) return true;
  if (value_ == 0) {
    value_ = value;
    scale_ = scale;
    return true;
  }
  const std::int32_t finer = std::min(scale, scale_);
  const auto a = MultipliedByPowerOfTen(value_, std::int64_t{scale_} - finer);
  const auto b = MultipliedByPowerOfTen(value, std::int64_t{scale} - finer);
  std::int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return false;
  value_ = sum;
  scale_ = finer;
  return true;
}

void Quantity::Add(const Quantity& other) {
  PL_ASSERT(!is_wide() && !other.is_wide());
  ForgetText();
  if (is_zero()) format_ = other.format_;
  const bool is_small = big() == nullptr && other.big() == nullptr;
  if (is_small && AddSmall(other.value_, other.scale_)) return;
  SetBig(ToBig() + other.ToBig());
}

void Quantity::Sub(const Quantity& other) {
  PL_ASSERT(!is_wide() && !other.is_wide());
  ForgetText();
  if (is_zero()) format_ = other.format_;
  const bool is_small = big() == nullptr && other.big() == nullptr;
  const bool can_negate = other.value_ != std::numeric_limits<std::int64_t>::min();
  if (is_small && can_negate && AddSmall(-other.value_, other.scale_)) return;
  SetBig(ToBig() - other.ToBig());
}

std::strong_ordering Quantity::Compare(const Quantity& other) const {
  if (scale_ == other.scale_ && !large_ && !other.large_) return value_ <=> other.value_;
  const int sign_here = sign();
  if (const int there = other.sign(); sign_here != there) return sign_here <=> there;
  if (sign_here == 0) return std::strong_ordering::equal;
  if (big() != nullptr || other.big() != nullptr) {
    // A wide number has more digits than any number that is not wide.
    if (is_wide() || other.is_wide()) return (is_wide() ? sign_here : -sign_here) <=> 0;
    if (big() != nullptr && other.big() != nullptr) return *big() <=> *other.big();
    return big() != nullptr ? *big() <=> other.ToBig() : ToBig() <=> *other.big();
  }

  const std::int32_t finer = std::min(scale_, other.scale_);
  const std::int64_t shift = std::int64_t{std::max(scale_, other.scale_)} - finer;
  // A number shifted by 19 digits or more is greater than any number of 64 bits.
  if (shift > kDigitsSafe) return (scale_ > other.scale_ ? sign_here : -sign_here) <=> 0;
  __extension__ using Wide = __int128;
  const auto widened = [&](const Quantity& one) {
    return static_cast<Wide>(one.value_) *
           kPowersOfTen[static_cast<std::size_t>(one.scale_ - finer)];
  };
  return widened(*this) <=> widened(other);
}

std::string Quantity::Text() const {
  if (text_bytes_ > 0) return std::string(text_.data(), text_bytes_);
  if (large_) {
    if (const auto* const text = std::get_if<std::string>(&large_->content)) return *text;
  }
  return Canonical();
}

bool Quantity::IsWhole() const {
  if (const BigDecimal* const number = big()) return BigDecimal(*number).RoundAway(0);
  if (scale_ >= 0) return true;
  return -scale_ <= kDigitsSafe && value_ % kPowersOfTen[static_cast<std::size_t>(-scale_)] == 0;
}

bool Quantity::IsWithin1024() const {
  return Compare(FromInt(-1024)) > 0 && Compare(FromInt(1024)) < 0;
}

std::string Quantity::DecimalText(Format format) const {
  const BigDecimal* const number = big();
  std::string digits = number != nullptr ? number->Magnitude() : std::to_string(Magnitude(value_));
  std::int64_t exponent = number != nullptr ? -number->scale : scale_;

  // Move all trailing zeros to the exponent, then as many back as make it a multiple of three.
  const std::size_t kept = digits.find_last_not_of('0') + 1;
  exponent += static_cast<std::int64_t>(digits.size() - kept);
  digits.resize(kept);
  const std::int64_t surplus = (exponent % 3 + 3) % 3;
  digits.append(static_cast<std::size_t>(surplus), '0');
  exponent -= surplus;

  std::string text = sign() < 0 ? "-" : "";
  text += digits;
  if (format == Format::DecimalSI) {
    text += DecimalSuffix(exponent);
  } else if (exponent != 0) {
    text += 'e';
    text += std::to_string(exponent);
  }
  return text;
}

std::string Quantity::BinaryText() const {
  std::string text = sign() < 0 ? "-" : "";
  if (const auto whole = AsInt64()) {
    const std::uint64_t magnitude = Magnitude(*whole);
    const auto exponent = static_cast<std::size_t>(std::countr_zero(magnitude)) / 10;
    text += std::to_string(magnitude >> (10 * exponent));
    return text.append(BinarySuffix(exponent));
  }
  BigDecimal number = ToBig();
  number.RoundAway(0);
  number.unscaled = abs(number.unscaled);
  const std::size_t exponent = lsb(number.unscaled) / 10;
  number.unscaled >>= static_cast<unsigned>(10 * exponent);
  return text.append(number.Magnitude()).append(BinarySuffix(exponent));
}

std::string Quantity::Canonical() const {
  if (is_zero()) return "0";
  if (format_ != Format::BinarySI) return DecimalText(format_);
  // Numbers that a binary suffix would round, and small ones, are written in decimal.
  if (IsWithin1024() || !IsWhole()) return DecimalText(Format::DecimalSI);
  return BinaryText();
}

std::string Quantity::Digits() const {
  const BigDecimal number = ToBig();
  std::string digits = number.Magnitude();
  if (number.scale > 0) {
    const auto places = static_cast<std::size_t>(number.scale);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, 1, '.');
  } else if (number.sign() != 0) {
    digits.append(static_cast<std::size_t>(-number.scale), '0');
  }
  return number.sign() < 0 ? "-" + digits : digits;
}

}  // namespace plimsoll
