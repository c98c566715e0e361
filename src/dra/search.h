#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/allocated_devices.h"
#include "dra/allocator.h"
#include "dra/compiled_claims.h"
#include "dra/constraint.h"
#include "dra/node_pools.h"

namespace plimsoll::dra {

/// Input of a search. It must not change while the search runs.
struct SearchInput {
  std::span<const std::shared_ptr<const api::Object>> claims;  // for the names in errors
  const CompiledClaims* plans = nullptr;
  const NodePools* pools = nullptr;
  const AllocatedDevices* allocated = nullptr;
  const DeviceSelectors* selectors = nullptr;
  const match::TolerationTimeRules* rules = nullptr;
  Instant now;  // expired tolerations do not count
  const SearchLimits* limits = nullptr;
  /// Evaluates for `rules`, and is charged for selectors. Null: nothing limits their cost.
  match::ExpressionMemo* budget = nullptr;
};

/// A device that is allocated to a request.
struct Pick {
  std::uint16_t claim = 0;
  std::uint16_t request = 0;      // index in its claim
  std::uint16_t alternative = 0;  // index in its request
  std::uint32_t device = 0;       // index in NodePools::devices
  bool has_paid = false;          // consumes the pool's counters
};

/// Position of a search: a request, one of its alternatives, and how many devices that has so far.
struct Position {
  std::size_t claim = 0;
  std::size_t request = 0;
  std::size_t alternative = 0;
  std::int64_t taken = 0;  // number of devices
  std::size_t start = 0;   // first device to try for the missing ones
};

/// Capacity that a request consumes of a device, computed once per search.
struct CapacityAnswer {
  bool is_known = false;
  bool is_possible = false;
  Amounts amounts;
  std::string error;
};

/// Devices allocated so far in the search, and the state derived from them.
struct SearchState {
  std::vector<Pick> picks;
  std::vector<std::uint16_t> held;                   // by device: number of exclusive picks
  std::vector<std::vector<std::uint16_t>> shares;    // by device: alternatives with a share
  std::vector<Amounts> sharing;                      // by device: capacity that those consume
  std::vector<SeenValues> seen;                      // by constraint
  std::vector<std::vector<Quantity>> counters_left;  // by pool; empty: not computed yet
  std::vector<bool> overdrawn;                       // by pool: a counter is negative
  std::vector<std::vector<std::uint32_t>> all;       // by alternative: its devices, if it is_all
  std::vector<std::vector<std::uint16_t>> chosen;    // by claim and request: the alternative
};

class Pruning;

inline constexpr std::string_view kTimedOut = "timed out trying to allocate devices";

/// Depth-first search for devices: claims, requests, alternatives and devices are tried in
/// order, so that the first solution is upstream's. It starts as a plain search, which suffices
/// for nearly every query. After kPlainSteps it restarts with Pruning, which finds the same
/// solution.
///
/// May be reused for several queries; it keeps its memory.
class Search {
 public:
  static constexpr std::uint64_t kPlainSteps = 4096;

  Search();
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  enum class Outcome : std::uint8_t { Found, None, Error };
  enum class Mode : std::uint8_t { Either, Plain, Pruned };
  Outcome Run(const SearchInput& input, Mode mode = Mode::Either);

  // After Found.
  std::span<const Pick> picks() const { return state_.picks; }
  /// Returns the index of the alternative that the request got.
  std::size_t ChosenFor(std::size_t claim, std::size_t request) const {
    return state_.chosen[claim][request];
  }
  /// Returns the capacity consumed by a pick. REQUIRES: its device is shareable.
  const Amounts& AmountsOf(const Pick& pick);

  /// Returns when the outcome may change because a toleration expires.
  Instant good_until() const { return good_until_; }

  // After Error.
  const std::string& error() const { return error_; }
  bool only_this_node() const { return only_this_node_; }
  /// Time or the budget for expressions was not enough. Another attempt may get further.
  bool timed_out() const { return reached_ == Limit::Time || reached_ == Limit::Cost; }

  /// Returns the number of devices tried by all queries.
  std::uint64_t steps() const { return steps_all_ + steps_; }

 private:
  friend class Pruning;
  enum class Step : std::uint8_t {
    Found,
    Failed,
    TooMany,  // more devices than a claim may have, regardless of earlier choices in the claim
    Stopped,  // with error_, or because a limit was reached
  };
  enum class Limit : std::uint8_t { None, Steps, Time, Cost };

  void Reset();
  Outcome Conclude(Step step);

  // Checks before the search.
  bool Prepare();
  bool PrepareAlternative(std::size_t claim, const AlternativePlan& plan);
  bool ListAllDevices(std::size_t claim, const AlternativePlan& plan);

  // The search.
  Step TryRequest(std::size_t claim, std::size_t request);
  Step TryAlternatives(std::size_t claim, std::size_t request);
  Step TryDevices(const Position& at);
  Step TryAllDevices(const Position& at);
  Step TryOneOfDevices(const Position& at);

  // Checks and changes for one device.
  enum class Fit : std::uint8_t { Yes, No, Error };
  bool IsInUse(const Position& at, std::uint32_t device) const;
  Fit IsSelected(const Position& at, const AlternativePlan& plan, std::uint32_t device);
  Fit HasCapacity(const Position& at, const AlternativePlan& plan, std::uint32_t device);
  Fit TryDevice(const Position& at, std::uint32_t device, bool must);
  Fit IsTolerated(const AlternativePlan& plan, const Candidate& candidate);
  bool JoinConstraints(const Position& at, std::uint32_t device);
  /// Leaves the first `count` constraints that apply to the request.
  void LeaveConstraints(const Position& at, std::size_t count);
  bool PayCounters(const Candidate& candidate);
  void RefundCounters(const Candidate& candidate);
  void GiveBack();

  const AlternativePlan& PlanOf(const Position& at) const {
    return input_.plans->claims[at.claim].requests[at.request].alternatives[at.alternative];
  }
  std::int64_t CountOf(const AlternativePlan& plan) const {
    return plan.is_all ? static_cast<std::int64_t>(state_.all[plan.index].size())
                       : plan.details->count;
  }
  const CapacityAnswer& CapacityOf(const AlternativePlan& plan, std::uint32_t device);
  std::vector<Quantity>& CountersOf(std::uint32_t pool);

  bool CountStep();
  /// Returns false if the time limit or the budget for expressions is exceeded. Call it at
  /// intervals, and before evaluating an expression, which may take as long as thousands of
  /// steps.
  bool HasTime();
  Step Stop(std::string error);
  std::string ClaimText(std::size_t claim) const;
  std::string DeviceText(std::uint32_t device) const;

  SearchInput input_;
  SearchState state_;
  std::vector<CapacityAnswer> capacities_;  // by alternative and device; filled on first use
  std::unique_ptr<Pruning> pruning_;        // set while pruning is active
  std::uint64_t steps_ = 0;
  std::uint64_t steps_max_ = 0;
  std::uint64_t steps_all_ = 0;
  Duration began_ = Duration::zero();  // stopwatch reading at the start
  Limit reached_ = Limit::None;
  std::string error_;
  bool only_this_node_ = false;
  Instant good_until_ = Instant::max();
};

}  // namespace plimsoll::dra
