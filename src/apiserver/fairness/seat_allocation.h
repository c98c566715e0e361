#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apiserver/fairness/flow_config.h"

/// Division of the server's seats among the priority levels, as upstream.
namespace plimsoll::apiserver {

/// Bounds of a level's seats, from its configuration.
struct SeatBounds {
  std::uint32_t nominal = 0;
  std::uint32_t lower = 0;  // nominal, minus the seats that others may borrow
  std::uint32_t upper = 0;  // nominal, plus the seats that the level may borrow
  friend bool operator==(const SeatBounds&, const SeatBounds&) = default;
};

/// Returns the bounds of each level, in the order of the levels. The nominal number is the level's
/// share of `total`, rounded up.
std::vector<SeatBounds> NominalSeats(std::span<const LevelConfig> levels, std::uint32_t total);

/// Returns the maximum number of seats of one request of a level.
std::uint32_t WidestRequest(std::uint32_t nominal);

/// One level in the periodic division of seats.
struct SeatClaim {
  bool is_exempt = false;
  SeatBounds bounds;
  double high_watermark = 0;  // highest demand in the last period
  double target = 0;          // smoothed demand
};

struct SeatDivision {
  std::vector<std::uint32_t> limits;  // in the order of the claims
  double fair_fraction = 0;           // share of its target for a level that hits no bound
};

/// Divides `total` seats so that all levels get the same fraction of their target, within bounds. A
/// level gets at least `lower` and, up to `nominal`, its demand in the last period; it gets at most
/// `upper`. Exempt levels get their seats first.
SeatDivision DivideSeats(std::span<const SeatClaim> claims, std::uint32_t total);

}  // namespace plimsoll::apiserver
