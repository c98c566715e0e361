#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "contender.h"

namespace plimsoll::bench {

/// Rounds of both contenders, run in turns, so that rounds of equal index had equal conditions.
struct StressRun {
  StressSize size;
  std::vector<Round> mixed;
  std::vector<Round> plain;
  std::uint64_t mixed_errors = 0;
  std::uint64_t plain_errors = 0;
};

/// Prints a line with a verdict for each target. Returns true if all are met. The first fifth of
/// the rounds is skipped as warm-up.
bool Report(const StressRun& run);

double MedianOf(std::vector<double> values);
/// Returns the slope of the values over `at`, by least squares.
double SlopeOf(const std::vector<double>& at, const std::vector<double>& values);

}  // namespace plimsoll::bench
