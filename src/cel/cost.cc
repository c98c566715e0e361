#include "cel/cost.h"

#include <cmath>

namespace plimsoll::cel {

std::uint64_t AddCost(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kUnbounded : sum;
}

std::uint64_t MultiplyCost(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kUnbounded : product;
}

std::uint64_t ScaleCost(std::uint64_t cost, double factor) {
  constexpr double kLimit = 18446744073709551616.0;  // 2^64
  const double scaled = std::ceil(static_cast<double>(cost) * factor);
  return scaled >= kLimit ? kUnbounded : static_cast<std::uint64_t>(scaled);
}

}  // namespace plimsoll::cel
