#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/plimsoll/eviction_policy.h"
#include "base/time.h"
#include "controller/eviction_policy/policy_terms.h"

namespace plimsoll::controller {

/// Evictions of one breaker in one scope: a sliding window of intervals. It counts an eviction for
/// at least the length of the window, and for at most one interval more.
class BreakerWindow {
 public:
  struct Bucket {
    Instant start;
    std::int64_t pods = 0;
  };

  /// Length of the intervals: whole seconds, so that there are at most 32 intervals.
  static Duration WidthOf(Duration window);
  /// Intervals that a status may list. After a change of the window's length, there could be more:
  /// the oldest ones are then joined, and count for longer.
  static constexpr std::size_t kIntervalsMax = 32;

  void Expire(Instant now, Duration window);
  void Add(Instant at, Duration window, std::int64_t pods = 1);
  /// Takes back an eviction that has not taken place. Does nothing if its interval is over.
  void Refund(Instant at, Duration window);
  void Clear() { buckets_.clear(); }
  /// Adopts stored counts: for each interval, the higher number counts.
  void Merge(Instant start, std::int64_t pods);

  std::int64_t total() const;
  bool empty() const { return buckets_.empty(); }
  const std::vector<Bucket>& buckets() const { return buckets_; }

 private:
  void JoinOldest();

  std::vector<Bucket> buckets_;  // sorted by start
};

/// State of one policy that must survive restarts: tokens of the rate, windows of the breaker, and
/// pods that are counted as evicted. It is written to the policy's status before the evictions are
/// released. So a successor never releases more than the limits allow.
class PolicyLedger {
 public:
  static constexpr std::size_t kReservedMax = 1000;
  static constexpr std::size_t kScopesMax = 256;

  struct Scope {
    BreakerWindow window;
    std::int64_t selected = 0;
    Instant selected_at = Instant::min();  // time of the last count of selected pods
    std::optional<Instant> tripped_at;
  };
  struct Reservation {
    std::uint64_t serial = 0;  // order of the reservations
    std::uint64_t change = 0;  // value of change() that a write must contain
    std::string scope;
    Instant counted_at = Instant::min();     // in the window of the breaker
    Instant counted_until = Instant::min();  // its count may expire afterwards
    Instant idle_since = Instant::min();     // since then, nobody wants to evict the pod
  };
  using Reservations = std::map<std::string, Reservation, std::less<>>;  // by uid

  /// Adopts the stored state. If there is state already, the stricter of the two counts. If pods
  /// are reserved, all tokens count as used: these pods may have been evicted at any time until
  /// now.
  void Merge(const api::EvictionPolicyStatus& status, const PolicyTerms& terms, Instant now);

  // Rate.
  /// Returns the earliest time of the next eviction.
  Instant NextFree(const PolicyTerms::Rate& rate) const;
  void TakeToken(const PolicyTerms::Rate& rate, Instant at);
  /// Counts an eviction that no limit could hold back. It costs at most the whole burst.
  void ChargeToken(const PolicyTerms::Rate& rate, Instant now);
  /// Counts all tokens as used.
  void Drain(const PolicyTerms::Rate& rate, Instant now);
  Instant rate_full_at() const { return rate_full_at_; }

  // Breaker.
  /// Returns the scope, or null if there are too many.
  Scope* FindScope(std::string_view name, const PolicyTerms::Breaker& breaker, Instant now);
  /// Returns true if the scope has tripped.
  bool IsTripped(std::string_view name) const;
  void Trip(Scope& scope, const PolicyTerms& terms, Instant now);
  /// Resets breakers that tripped at or before `terms.resumed_at`.
  void Resume(const PolicyTerms& terms);
  bool is_any_tripped() const;
  /// Drops scopes without evictions in their windows.
  void Expire(const PolicyTerms& terms, Instant now);
  const std::map<std::string, Scope, std::less<>>& scopes() const { return scopes_; }

  // Reservations.
  const Reservation* Find(std::string_view uid) const;
  Reservation* Find(std::string_view uid);
  Reservation& Reserve(std::string_view uid);
  /// Drops the reservation. `is_refunded`: the pod was surely not evicted.
  void Erase(std::string_view uid, const PolicyTerms& terms, bool is_refunded);
  Reservations& reserved() { return reserved_; }
  const Reservations& reserved() const { return reserved_; }

  /// Number of changes that must be written before evictions are released.
  std::uint64_t change() const { return change_; }
  void MarkChanged() { ++change_; }

 private:
  Instant rate_full_at_ = Instant::min();
  std::map<std::string, Scope, std::less<>> scopes_;
  Reservations reserved_;
  std::uint64_t last_serial_ = 0;
  std::uint64_t change_ = 0;
};

}  // namespace plimsoll::controller
