// Parses quantities. A quantity must be the same after it was printed and parsed again, and
// subtraction must undo addition.
//
// Input: two texts with a line end between them.

#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/limits.h"
#include "base/quantity.h"
#include "cost_bound.h"

namespace {

using plimsoll::Quantity;

/// Returns true when the quantity's text parses to the same quantity. Three kinds do not. A sum can
/// have one digit more than the parser takes. Beyond the largest decimal suffix the canonical form
/// loses its exponent. The parser caps quantities with a binary suffix.
bool CanBeReadBack(const Quantity& quantity) {
  if (quantity.Digits().size() > static_cast<std::size_t>(plimsoll::kQuantityDigitsMax))
    return false;
  if (quantity.format() == Quantity::Format::DecimalExponent) return true;
  const bool is_binary = quantity.format() == Quantity::Format::BinarySI;
  const Quantity bound = *Quantity::Parse(is_binary ? "8Ei" : "999E");
  Quantity negative_bound;
  negative_bound.Sub(bound);
  return quantity.Compare(negative_bound) >= 0 && quantity.Compare(bound) <= 0;
}

void CheckOne(const Quantity& quantity) {
  PL_ASSERT(quantity.is_zero() == (quantity.Canonical() == "0"));
  if (const auto whole = quantity.AsInt64()) {
    PL_ASSERT(*whole == quantity.Value());
    PL_ASSERT(Quantity::FromInt(*whole) == quantity);
  }
  const auto plain = Quantity::Parse(quantity.Digits());
  PL_ASSERT(!plain || *plain == quantity);
  static_cast<void>(quantity.MilliValue());
  static_cast<void>(quantity.AsApproximateDouble());
  if (!CanBeReadBack(quantity)) return;
  const auto again = Quantity::FromScalar(quantity.Text());
  PL_ASSERT(again.has_value());
  PL_ASSERT(*again == quantity);
  PL_ASSERT(again->Text() == quantity.Text());
}

void CheckTwo(const Quantity& a, const Quantity& b) {
  Quantity sum = a;
  sum.Add(b);
  PL_ASSERT((sum.Compare(a) <=> 0) == (b.sign() <=> 0));
  Quantity back = sum;
  back.Sub(b);
  PL_ASSERT(back == a);
  CheckOne(sum);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t end = text.find('\n');
  const auto a = Quantity::Parse(text.substr(0, end));
  if (!a) return 0;
  CheckOne(*a);
  if (end == std::string_view::npos) return 0;
  if (const auto b = Quantity::Parse(text.substr(end + 1))) CheckTwo(*a, *b);
  return 0;
}
