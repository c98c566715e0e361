#pragma once

#include <cstdint>

namespace CLI {
class Option;
}

namespace plimsoll::cli {

/// A whole number within the bounds, both included.
void WantInteger(CLI::Option* option, std::int64_t min, std::int64_t max);

/// A number from 0 on. CLI11's own check says of what is none that it is not in a range of 300
/// digits.
void WantNotNegative(CLI::Option* option);
/// A number above 0.
void WantPositive(CLI::Option* option);

}  // namespace plimsoll::cli
