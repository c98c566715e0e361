#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "base/random.h"

namespace plimsoll::apiserver {

class Cache;
struct Resource;

/// The cluster addresses and node ports of services. What is taken is what stored services have;
/// a new one is reserved until it is stored. Safe for use by many threads.
class ServiceAddresses {
 public:
  /// `services` is the resource; the cache and it must outlive this.
  ServiceAddresses(const Cache& cache, const Resource& services, std::uint64_t seed);

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
  api::Answer<Address> AllocateAddress();
  api::Answer<Port> AllocatePort();
  /// That very one; nothing when it is taken.
  std::optional<Reservation> ReserveAddress(std::string_view ip);
  std::optional<Reservation> ReservePort(std::int32_t port);

  /// Whether it lies in 10.96.0.0/12.
  static bool IsInRange(std::string_view ip);

 private:
  std::set<std::string> Taken() const;
  std::optional<Reservation> Reserve(const std::string& value, const std::set<std::string>& taken);

  const Cache& cache_;
  const Resource& services_;
  mutable std::mutex mutex_;
  Random random_;
  std::set<std::string> reserved_;
};

}  // namespace plimsoll::apiserver
