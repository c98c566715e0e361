#pragma once

#include <CLI/CLI.hpp>

namespace plimsoll::cli {

/// A number from 0 on. CLI11's own says of what is none that it is not in a range of 300 digits.
CLI::Validator NotNegative();
/// A number above 0.
CLI::Validator Positive();

}  // namespace plimsoll::cli
