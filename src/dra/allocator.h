#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/pure_core.h"
#include "api/resource/resource_claim.h"
#include "base/bitmap.h"
#include "base/random.h"
#include "base/time.h"
#include "dra/allocation.h"
#include "dra/device_diagnosis.h"
#include "dra/device_selectors.h"
#include "dra/slice_tracker.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::dra {

/// A node's row in the caller's table: a small number, which is reused after a node is deleted.
using NodeSlot = std::uint32_t;

struct CompiledClaims;

/// The claims of a pod that must be allocated together, in order, and their compiled form. Pods
/// whose claims have equal specs share the compiled form, and with it the cached answers for
/// nodes.
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
  /// Returns true if a request uses `firstAvailable`; only then Score differs between nodes.
  bool has_alternatives() const;

 private:
  std::vector<std::shared_ptr<const api::Object>> claims_;
  std::shared_ptr<CompiledClaims> compiled_;
};

/// Limits of one search.
struct SearchLimits {
  static constexpr std::uint64_t kStepsMax = 1'000'000;

  std::uint64_t steps_max = kStepsMax;   // devices tried
  Duration time_max = Duration::zero();  // zero: no limit
  /// Returns the time of a monotonic clock. Null: no time limit.
  std::function<Duration()> stopwatch;
};

/// Allocates devices for claims on a node. It finds the first solution in upstream's order of
/// pools, slices and devices.
///
/// It caches the input of the search. A node's pools are gathered on first use and kept until a
/// slice relevant to the node changes. The results of selectors and tolerations per device are
/// shared by all claims with equal ones. The answer for a node and a set of claims is kept until
/// something on that node changes.
///
/// Not safe for use by several threads. The tracker, the selectors and the rules' evaluator must
/// outlive it. ClaimSets may outlive it, but must not be used then.
class Allocator {
 public:
  Allocator(const SliceTracker& tracker, const DeviceSelectors& selectors,
            const match::TolerationTimeRules& rules, SearchLimits limits = {});
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  // Cluster state.

  /// Must be called with every result of SliceTracker::Observe, while that result is valid.
  void Observe(const SliceTracker::Changes& changes);
  /// Handles a change of a DeviceClass. Ignores other kinds.
  void Observe(const api::ObjectChanged& news);
  /// Sets or updates the Node of the slot; null removes it.
  void SetNode(NodeSlot slot, std::shared_ptr<const api::Object> node);

  /// Sets the claim's allocation: from its status, or from Reserve before the status is written.
  /// Replaces the earlier one; null removes it. A device counts even if no slice publishes it now.
  /// Copies the data that it needs.
  void SetAllocation(std::string_view claim_uid, const api::AllocationResult* allocation);

  /// Sets SearchLimits::stopwatch.
  void SetStopwatch(std::function<Duration()> stopwatch);
  /// Begins an attempt to schedule a pod at `now`. Tolerations that have expired by then do not
  /// count. Each search may take `time_max`; zero: no limit. A node whose search timed out is not
  /// searched again for the same claims in this attempt.
  void BeginAttempt(Instant now, Duration time_max);

  /// Limits the cost of selectors and of the expressions of tolerations, in CEL's units, from now
  /// on. A search that needs more ends as if its time limit were exceeded. Its answers are cached,
  /// so that another attempt continues from there. There is no limit before the first call.
  void SetExpressionBudget(std::uint64_t cost);
  /// Returns true if the budget was exceeded since it was set.
  bool is_exhausted() const;
  /// Returns the rules, with an evaluator that counts against the budget.
  const match::TolerationTimeRules& rules() const;

  // Queries about a set of claims.

  /// Compiles the claims. REQUIRES: all of them are ResourceClaims.
  ClaimSet Compile(std::vector<std::shared_ptr<const api::Object>> claims);

  enum class Answer : std::uint8_t { Possible, Impossible, Error };
  /// Returns the answer that Allocate would give.
  Answer CheckNode(const ClaimSet& claims, NodeSlot node);
  /// Keeps the nodes that can satisfy the claims. If a node's search ends in an error that is not
  /// specific to that node, clears `nodes` and returns the first such node. Such an error ends the
  /// attempt, so the nodes after it are not searched.
  std::optional<NodeSlot> Filter(const ClaimSet& claims, Bitmap& nodes);
  /// Scores how early in their `firstAvailable` lists the requests are satisfied: each adds 8 minus
  /// the index of its choice. Returns 0 if the node cannot satisfy the claims.
  std::int64_t Score(const ClaimSet& claims, NodeSlot node);

  struct Outcome {
    Answer answer = Answer::Impossible;
    std::vector<Allocation> allocations;  // with Possible: one per claim
    std::string error;                    // with Error
    bool only_this_node = false;          // the error says nothing about other nodes
    bool timed_out = false;               // SearchLimits::time_max was exceeded
  };
  /// Allocates without marking devices as taken. `random` is used for the ids of shares.
  Outcome Allocate(const ClaimSet& claims, NodeSlot node, Random& random);

  /// Returns why the node's devices do not suffice. Call it when the answer was Impossible.
  Diagnosis Diagnose(const ClaimSet& claims, NodeSlot node);

  /// Returns the total number of devices tried.
  std::uint64_t steps() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plimsoll::dra
