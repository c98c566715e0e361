#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "contender.h"

namespace plimsoll::bench {

/// The rounds of both, taken in turns, so that those with one number had the same machine.
struct StressRun {
  StressSize size;
  std::vector<Round> mixed;
  std::vector<Round> plain;
  std::uint64_t mixed_errors = 0;
  std::uint64_t plain_errors = 0;
};

/// Prints a line with a verdict for each aim; whether all are met. The first fifth of the rounds is
/// left out, as caches fill in them.
bool Report(const StressRun& run);

double MedianOf(std::vector<double> values);
/// How much the values grow from one of `at` to the next unit of it: the line of least squares.
double SlopeOf(const std::vector<double>& at, const std::vector<double>& values);

}  // namespace plimsoll::bench
