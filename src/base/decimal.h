#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

/// Numeric tolerations compare whole numbers that are written in one way only: an optional `-`,
/// then `0` or a digit 1-9 and further digits, within 64 bits. `+5`, `007`, `-0` and ` 1` are not
/// numbers here, so that `Equal` and the numeric operators never disagree about which texts are the
/// same.
enum class DecimalFault : std::uint8_t { None, Empty, NotCanonical, OutOfRange };

struct Decimal {
  DecimalFault fault = DecimalFault::None;
  std::int64_t value = 0;  // meaningful when fault is None
};

Decimal ParseDecimal(std::string_view text);

/// The number, or nothing when the text has a fault.
std::optional<std::int64_t> DecimalValue(std::string_view text);

}  // namespace plimsoll
