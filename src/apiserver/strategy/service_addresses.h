#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/strategy/shared_reservations.h"
#include "base/random.h"

namespace plimsoll::apiserver {

class Cache;
struct Resource;

/// Cluster IPs and node ports of services. Values of stored services are taken; a new value is
/// reserved until its service is stored. Safe for use by many threads. Blocks if servers share the
/// store, except in a dry run, which reserves nothing there.
class ServiceAddresses {
 public:
  /// `services` is the resource. `shared` is null if no other server uses this store. All must
  /// outlive this object.
  ServiceAddresses(const Cache& cache, const Resource& services, std::uint64_t seed,
                   SharedReservations* shared = nullptr);

  struct Address {
    std::string ip;
    Reservation reservation;
  };
  struct Port {
    std::int32_t port = 0;
    Reservation reservation;
  };

  /// Allocate a free value. Fail with InternalError if there is none.
  api::Answer<Address> AllocateAddress(bool is_dry_run);
  api::Answer<Port> AllocatePort(bool is_dry_run);
  /// Reserve this value. Return nullopt if it is taken.
  api::Answer<std::optional<Reservation>> ReserveAddress(std::string_view ip, bool is_dry_run);
  api::Answer<std::optional<Reservation>> ReservePort(std::int32_t port, bool is_dry_run);

  /// Returns true if the address is in 10.96.0.0/12.
  static bool IsInRange(std::string_view ip);

 private:
  /// Returns the values of stored services.
  std::set<std::string> Stored() const;
  /// `stored` may be outdated.
  api::Answer<std::optional<Reservation>> Reserve(const std::string& value,
                                                  const std::set<std::string>& stored,
                                                  bool is_dry_run);
  std::int64_t Draw(std::int64_t first, std::int64_t last);
  /// Reserves the value among the requests of this server.
  std::optional<Reservation> ReserveHere(const std::string& value);

  const Cache& cache_;
  const Resource& services_;
  SharedReservations* const shared_;
  std::mutex mutex_;
  Random random_;                   // guarded by mutex_
  std::set<std::string> reserved_;  // guarded by mutex_
};

}  // namespace plimsoll::apiserver
