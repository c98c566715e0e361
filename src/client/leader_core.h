#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "api/object.h"
#include "base/time.h"

namespace plimsoll::client {

struct LeaderElectionOptions {
  std::string lease_namespace = "kube-system";
  std::string lease_name;
  std::string identity;  // identity of this candidate; unique per process
  /// Time that others wait after the last renewal before they take over.
  Duration lease_duration = std::chrono::seconds(15);
  /// Time for which the leader tries to renew before it gives up. Shorter than lease_duration, so
  /// that it stops before another starts.
  Duration renew_deadline = std::chrono::seconds(10);
  Duration retry_period = std::chrono::seconds(2);  // between tries
  bool release_on_stop = true;                      // so that others need not wait
  bool runs_again = true;                           // runs again after it has stopped leading
  std::uint64_t seed = 1;                           // for random delays between tries to acquire
};

/// Returns Invalid unless lease_duration > renew_deadline > 1.2 · retry_period, and names are set.
Status Check(const LeaderElectionOptions& options);

/// The spec of a Lease.
struct LeaseRecord {
  std::string holder;  // empty: none
  std::int64_t duration_seconds = 0;
  std::string acquire_time;  // as received; never compared with our clock
  std::string renew_time;
  std::int64_t transitions = 0;

  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

/// Reads the spec of a Lease; missing fields are empty or zero.
LeaseRecord ReadLease(const api::Object& lease);

/// Returns the Lease as JSON with this record. All other fields are those of `base`, if not null.
std::string LeaseJson(const LeaderElectionOptions& options, const LeaseRecord& record,
                      const api::Object* base);

/// Decides who leads, from the Lease and the times at which it was seen. The times in the Lease are
/// those of other machines, whose clocks may be wrong. So a lease is live for its duration, by our
/// clock, after we last saw it change. For one thread at a time.
class LeaderCore {
 public:
  /// The options must outlive it.
  explicit LeaderCore(const LeaderElectionOptions& options) : options_(options) {}

  /// Takes the Lease as it was read or written at `now`.
  void Observe(LeaseRecord record, Instant now);
  /// Call it when there is no Lease.
  void Forget();

  /// Returns the record to write in order to lead or to renew, or nullopt if another candidate
  /// leads. It counts only after it has been written and passed to Observe.
  std::optional<LeaseRecord> Claim(Instant now) const;
  /// True if we lead and the lease is live: it may be renewed without reading it first.
  bool MayRenewUnread(Instant now) const { return is_leader() && IsLive(now); }
  /// Returns the record that releases the lease. Only for the leader.
  LeaseRecord Release(Instant now) const;

  bool is_leader() const { return observed_.holder == options_.identity && has_observed_; }
  /// Known leader; empty: none.
  const std::string& leader() const { return observed_.holder; }

 private:
  bool IsLive(Instant now) const;

  const LeaderElectionOptions& options_;
  bool has_observed_ = false;
  LeaseRecord observed_;
  Instant changed_at_;  // when the current record was first seen
};

}  // namespace plimsoll::client
