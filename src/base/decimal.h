#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

/// Numeric tolerations compare whole numbers with exactly one spelling: an optional `-`, then `0`
/// or a digit 1-9 followed by digits, within 64 bits. `+5`, `007`, `-0` and ` 1` are rejected. So
/// `Equal`, which compares texts, and the numeric operators never disagree about which values are
/// equal.
enum class DecimalFault : std::uint8_t { None, Empty, NotCanonical, OutOfRange };

struct Decimal {
  DecimalFault fault = DecimalFault::None;
  std::int64_t value = 0;  // valid only if fault is None
};

Decimal ParseDecimal(std::string_view text);

/// Returns the number, or nullopt if the text has a fault.
std::optional<std::int64_t> DecimalValue(std::string_view text);

}  // namespace plimsoll
