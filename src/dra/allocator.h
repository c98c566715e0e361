#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core_input.h"
#include "api/resource/resource_claim.h"
#include "base/bitmap.h"
#include "base/random.h"
#include "base/time.h"
#include "dra/allocation.h"
#include "dra/device_diagnosis.h"
#include "dra/device_selectors.h"
#include "dra/slice_tracker.h"
#include "match/stay_rules.h"

namespace plimsoll::dra {

/// A node's row in the caller's table: small numbers, given to another node when one is gone.
using NodeSlot = std::uint32_t;

struct CompiledClaims;

/// The claims that a pod wants to have allocated together, in their order, and what they ask for in
/// the form that is searched. Pods whose claims have equal specs share the latter, and with it all
/// that is known about nodes.
class ClaimSet {
 public:
  ClaimSet() = default;
  ClaimSet(std::vector<std::shared_ptr<const api::Object>> claims,
           std::shared_ptr<CompiledClaims> compiled)
      : claims_(std::move(claims)), compiled_(std::move(compiled)) {}

  std::span<const std::shared_ptr<const api::Object>> claims() const { return claims_; }
  CompiledClaims& compiled() const { return *compiled_; }
  const std::shared_ptr<CompiledClaims>& shared() const { return compiled_; }
  bool empty() const { return claims_.empty(); }
  /// Some request is a `firstAvailable`, so that nodes differ in Score.
  bool has_alternatives() const;

 private:
  std::vector<std::shared_ptr<const api::Object>> claims_;
  std::shared_ptr<CompiledClaims> compiled_;
};

/// What one search may cost.
struct SearchLimits {
  static constexpr std::uint64_t kStepsMax = 1'000'000;

  std::uint64_t steps_max = kStepsMax;   // devices tried
  Duration time_max = Duration::zero();  // zero: as long as it takes
  /// Reads a clock that never goes back. Null: there is no limit in time.
  std::function<Duration()> stopwatch;
};

/// Which devices claims get on a node: the first solution in upstream's order of pools, slices and
/// devices.
///
/// Holds what the search reads: the pools of each node, gathered when first asked for and kept
/// until a slice that matters to the node changes; what selectors and tolerations say of each
/// device, asked once for all claims that say the same; which devices are taken. Whether a node can
/// satisfy a set of claims is kept as well, until something on that node changes.
///
/// Not safe for use by several threads. The tracker, the selectors and the rules' evaluator must
/// outlive it; ClaimSets may do so, but are of no use then.
class Allocator {
 public:
  Allocator(const SliceTracker& tracker, const DeviceSelectors& selectors,
            const match::StayRules& rules, SearchLimits limits = {});
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  // What there is.

  /// To be told of each of the tracker's changes at once, while they are valid.
  void Observe(const SliceTracker::Changes& changes);
  /// News of a DeviceClass; of other kinds nothing changes.
  void Observe(const api::ObjectChanged& news);
  /// A Node has come into the slot, or has changed; null: it is gone.
  void SetNode(NodeSlot slot, std::shared_ptr<const api::Object> node);

  /// What the claim has: as its status says, or as Reserve has decided before the status does.
  /// Replaces what was known of that claim; null: nothing. A device counts also when no slice
  /// publishes it at the moment. Copies what it needs.
  void SetAllocation(std::string_view claim_uid, const api::AllocationResult* allocation);
  /// Whether a device is taken by any claim, be it for itself alone or shared; not by admin access.
  bool IsAllocated(DeviceId device) const;

  /// The clock by which searches are limited, see SearchLimits.
  void SetStopwatch(std::function<Duration()> stopwatch);
  /// An attempt at placing a pod begins at `now`: tolerations whose time is over by then do not
  /// count. Each search may take `time_max`; zero: as long as it takes. A node whose search took
  /// longer is not searched again for the same claims before the next attempt.
  void BeginAttempt(Instant now, Duration time_max);

  // Questions about a set of claims.

  /// The claims must be ResourceClaims.
  ClaimSet Compile(std::vector<std::shared_ptr<const api::Object>> claims);

  enum class Answer : std::uint8_t { Possible, Impossible, Error };
  /// What Allocate would say.
  Answer Ask(const ClaimSet& claims, NodeSlot node);
  /// Keeps those nodes that can satisfy the claims. Or names the first whose question ended in an
  /// error that concerns not that node alone: such an error ends the attempt, so the nodes behind
  /// it are not asked about, and none is kept.
  std::optional<NodeSlot> Filter(const ClaimSet& claims, Bitmap& nodes);
  /// By how much the node fits the order of `firstAvailable` lists: for each such request 8 less
  /// the index of the one chosen. 0 where it is not possible.
  std::int64_t Score(const ClaimSet& claims, NodeSlot node);

  struct Outcome {
    Answer answer = Answer::Impossible;
    std::vector<Allocation> allocations;  // with Possible, one for each claim
    std::string error;                    // with Error
    bool only_this_node = false;          // the error says nothing about other nodes
    bool timed_out = false;               // SearchLimits::time_max was not enough
  };
  /// The random numbers are for the ids of shares. Does not mark anything as taken.
  Outcome Allocate(const ClaimSet& claims, NodeSlot node, Random& random);

  /// Why the node's devices do not do. To be asked when the answer was Impossible.
  Diagnosis Diagnose(const ClaimSet& claims, NodeSlot node);

  /// Devices tried, in all.
  std::uint64_t steps() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plimsoll::dra
