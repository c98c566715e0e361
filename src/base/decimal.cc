#include "base/decimal.h"

#include <charconv>

namespace plimsoll {

Decimal ParseDecimal(std::string_view text) {
  if (text.empty()) return {.fault = DecimalFault::Empty};
  const std::string_view digits = text.front() == '-' ? text.substr(1) : text;
  const bool is_zero = text == "0";
  if (digits.empty() || (digits.front() == '0' && !is_zero)) {
    return {.fault = DecimalFault::NotCanonical};
  }
  Decimal result;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result.value);
  // If the number is too large, from_chars still reads to the last digit, so `stop` is at the end.
  if (stop != end || error == std::errc::invalid_argument) {
    return {.fault = DecimalFault::NotCanonical};
  }
  if (error == std::errc::result_out_of_range) return {.fault = DecimalFault::OutOfRange};
  return result;
}

std::optional<std::int64_t> DecimalValue(std::string_view text) {
  const Decimal decimal = ParseDecimal(text);
  if (decimal.fault != DecimalFault::None) return std::nullopt;
  return decimal.value;
}

}  // namespace plimsoll
