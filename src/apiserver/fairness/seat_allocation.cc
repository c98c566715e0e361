#include "apiserver/fairness/seat_allocation.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::apiserver {
namespace {

constexpr double kWidestShare = 0.15;
constexpr double kWidestMax = 10;
// Bisection steps until the fraction is as precise as a double.
constexpr int kBisections = 100;

std::uint32_t Percent(std::uint32_t whole, int percent) {
  const double part = std::round(static_cast<double>(whole) * percent / 100);
  return static_cast<std::uint32_t>(std::clamp(part, 0.0, 1e9));
}

/// Returns the seats that the level keeps in this period, whatever others need.
double Floor(const SeatClaim& claim) {
  return std::max<double>(claim.bounds.lower,
                          std::min<double>(claim.bounds.nominal, claim.high_watermark));
}

double Granted(const SeatClaim& claim, double fraction) {
  const double floor = Floor(claim);
  const double target = std::max(floor, claim.target);
  return std::clamp(fraction * target, floor, std::max<double>(floor, claim.bounds.upper));
}

}  // namespace

std::vector<SeatBounds> NominalSeats(std::span<const LevelConfig> levels, std::uint32_t total) {
  double shares = 0;
  for (const LevelConfig& level : levels) shares += level.nominal_shares;
  std::vector<SeatBounds> all;
  for (const LevelConfig& level : levels) {
    SeatBounds bounds;
    if (shares > 0) {
      bounds.nominal =
          static_cast<std::uint32_t>(std::ceil(total * (level.nominal_shares / shares)));
    }
    bounds.lower = bounds.nominal - Percent(bounds.nominal, level.lendable_percent);
    bounds.upper =
        bounds.nominal +
        (level.borrowing_percent ? Percent(bounds.nominal, *level.borrowing_percent) : total);
    all.push_back(bounds);
  }
  return all;
}

std::uint32_t WidestRequest(std::uint32_t nominal) {
  return static_cast<std::uint32_t>(std::clamp(std::ceil(nominal * kWidestShare), 1.0, kWidestMax));
}

SeatDivision DivideSeats(std::span<const SeatClaim> claims, std::uint32_t total) {
  double available = total;
  double floors = 0;
  double ceilings = 0;
  for (const SeatClaim& claim : claims) {
    if (claim.is_exempt) {
      available -= Floor(claim);
    } else {
      floors += Floor(claim);
      ceilings += std::max<double>(Floor(claim), claim.bounds.upper);
    }
  }
  const auto sum_at = [&](double fraction) {
    double sum = 0;
    for (const SeatClaim& claim : claims) {
      if (!claim.is_exempt) sum += Granted(claim, fraction);
    }
    return sum;
  };
  SeatDivision division;
  if (available > floors) {
    // The sum grows with the fraction. If all ceilings fit, every level gets its ceiling.
    double low = 0;
    double high = 1;
    for (int i = 0; i < kBisections && sum_at(high) < std::min(available, ceilings); ++i) high *= 2;
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (low + high) / 2;
      (sum_at(middle) < available ? low : high) = middle;
    }
    division.fair_fraction = high;
  }
  for (const SeatClaim& claim : claims) {
    const double seats =
        claim.is_exempt ? Floor(claim) : std::round(Granted(claim, division.fair_fraction));
    division.limits.push_back(static_cast<std::uint32_t>(std::max(0.0, seats)));
  }
  return division;
}

}  // namespace plimsoll::apiserver
