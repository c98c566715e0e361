#pragma once

#include <cstdint>

namespace CLI {
class Option;
}

namespace plimsoll::cli {

/// Requires an integer in [min, max].
void RequireInteger(CLI::Option* option, std::int64_t min, std::int64_t max);

/// Requires a number in [0, max]. CLI11's own check has a poor message, which shows a range of 300
/// digits.
void RequireNotNegative(CLI::Option* option, std::int64_t max);
/// Requires a number above 0 and at most `max`.
void RequirePositive(CLI::Option* option, std::int64_t max);

}  // namespace plimsoll::cli
