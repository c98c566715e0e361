#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apiserver/fairness/flow_config.h"

/// How the server's seats are divided among the priority levels, as upstream divides them.
namespace plimsoll::apiserver {

/// The bounds of a level's seats that follow from its configuration.
struct SeatBounds {
  std::uint32_t nominal = 0;
  std::uint32_t lower = 0;  // nominal, less what others may borrow
  std::uint32_t upper = 0;  // nominal, and what the level may borrow
  friend bool operator==(const SeatBounds&, const SeatBounds&) = default;
};

/// Returns the bounds of each level, in the order of the levels. Each nominal number is the level's
/// share of `total`, rounded up.
std::vector<SeatBounds> NominalSeats(std::span<const LevelConfig> levels, std::uint32_t total);

/// Returns the largest number of seats that one request of a level may take.
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
  double fair_fraction = 0;           // of its target that every level gets which hits no bound
};

/// Divides `total` seats so that all levels get the same fraction of their target, within bounds:
/// at least `lower` and, up to `nominal`, what they needed in the last period; at most `upper`.
/// Seats that exempt levels need are taken from the total first.
SeatDivision DivideSeats(std::span<const SeatClaim> claims, std::uint32_t total);

}  // namespace plimsoll::apiserver
