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
  std::string identity;  // of this candidate; another for each process
  /// How long others wait after the last sign of life before they take over.
  Duration lease_duration = std::chrono::seconds(15);
  /// How long the leader goes on trying to renew before it gives up. Shorter, so that it stops
  /// before another starts.
  Duration renew_deadline = std::chrono::seconds(10);
  Duration retry_period = std::chrono::seconds(2);  // between tries
  bool release_on_stop = true;                      // others need not wait then
  bool runs_again = true;                           // after it has stopped leading
  std::uint64_t seed = 1;                           // of the delays between tries to acquire
};

/// Invalid: lease_duration > renew_deadline > 1.2 · retry_period must hold, and names be given.
Status Check(const LeaderElectionOptions& options);

/// The spec of a Lease.
struct LeaseRecord {
  std::string holder;  // empty: nobody
  std::int64_t duration_seconds = 0;
  std::string acquire_time;  // as it stands, and never compared with our clock
  std::string renew_time;
  std::int64_t transitions = 0;

  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

/// What stands in a Lease; what is missing is empty or zero.
LeaseRecord ReadLease(const api::Object& lease);

/// The Lease as JSON with that record. All else stays as it is in `base`, where there is one.
std::string LeaseJson(const LeaderElectionOptions& options, const LeaseRecord& record,
                      const api::Object* base);

/// Decides who leads, from what is seen of the Lease and when it was seen. The times in it are
/// those of other machines, whose clocks may be wrong; so a lease counts as live until it has not
/// changed for as long as it says, by our clock, since we saw it change. One thread at a time.
class LeaderCore {
 public:
  /// The options must outlive it.
  explicit LeaderCore(const LeaderElectionOptions& options) : options_(options) {}

  /// The Lease as it was read or written at that time.
  void Observe(LeaseRecord record, Instant now);
  /// There is no Lease.
  void Forget();

  /// The record to write now so as to lead or go on leading, or nothing: another leads. Only what
  /// is then written and observed counts.
  std::optional<LeaseRecord> Claim(Instant now) const;
  /// Leads, and the lease is live: it may be renewed as it was last seen, without reading it.
  bool MayRenewUnread(Instant now) const { return is_leader() && IsLive(now); }
  /// The record that gives it up. Only for the leader.
  LeaseRecord Release(Instant now) const;

  bool is_leader() const { return observed_.holder == options_.identity && has_observed_; }
  /// Who leads, as far as is known; empty: nobody.
  const std::string& leader() const { return observed_.holder; }

 private:
  bool IsLive(Instant now) const;

  const LeaderElectionOptions& options_;
  bool has_observed_ = false;
  LeaseRecord observed_;
  Instant changed_at_;  // when the record was first seen as it is
};

}  // namespace plimsoll::client
