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

/// The cluster addresses and node ports of services. What is taken is what stored services have;
/// a new one is reserved until it is stored. Safe for use by many threads; where servers share the
/// store its calls wait for that, save in a dry run, which only tells what might be given.
class ServiceAddresses {
 public:
  /// `services` is the resource, `shared` null where no other server has this store; all of them
  /// must outlive this.
  ServiceAddresses(const Cache& cache, const Resource& services, std::uint64_t seed,
                   SharedReservations* shared = nullptr);

  /// Holds a value until destroyed.
  using Reservation = std::shared_ptr<const void>;
  struct Address {
    std::string ip;
    Reservation reservation;
  };
  struct Port {
    std::int32_t port = 0;
    Reservation reservation;
  };

  /// A free one. InternalError when there is none.
  api::Answer<Address> AllocateAddress(bool is_dry_run);
  api::Answer<Port> AllocatePort(bool is_dry_run);
  /// That very one; nothing when it is taken.
  api::Answer<std::optional<Reservation>> ReserveAddress(std::string_view ip, bool is_dry_run);
  api::Answer<std::optional<Reservation>> ReservePort(std::int32_t port, bool is_dry_run);

  /// Whether it lies in 10.96.0.0/12.
  static bool IsInRange(std::string_view ip);

 private:
  /// What stored services have.
  std::set<std::string> Stored() const;
  /// `stored` may be from before.
  api::Answer<std::optional<Reservation>> Reserve(const std::string& value,
                                                  const std::set<std::string>& stored,
                                                  bool is_dry_run);
  std::int64_t Draw(std::int64_t first, std::int64_t last);
  /// Among the requests of this server.
  std::optional<Reservation> ReserveHere(const std::string& value);

  const Cache& cache_;
  const Resource& services_;
  SharedReservations* const shared_;
  std::mutex mutex_;
  Random random_;                   // guarded by mutex_
  std::set<std::string> reserved_;  // likewise
};

}  // namespace plimsoll::apiserver
