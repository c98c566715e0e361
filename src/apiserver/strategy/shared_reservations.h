#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/strategy/reservation.h"
#include "base/clock.h"
#include "store/store.h"

namespace plimsoll::apiserver {

class Cache;

/// Reserves values among all servers of one store, so that only one of two concurrent requests gets
/// a value. A reservation is a store key. Its holder creates it, which only one can do, and deletes
/// it after the object with the value is stored. The next holder's revision is therefore later than
/// that object. It waits until its cache has reached this revision: a value missing there is free.
/// Safe for use by many threads; its calls block.
class SharedReservations {
 public:
  /// The references must outlive this object and its reservations.
  SharedReservations(store::Store& store, Cache& cache, Clock& clock);

  /// Returns a reservation that lasts until it is destroyed. Nullopt: another server holds it.
  /// Fails with ServiceUnavailable or Timeout of the store.
  api::Answer<std::optional<Reservation>> Reserve(std::string_view value);

 private:
  Result<std::optional<store::Revision>> Claim(const std::string& key);
  /// Returns the expected revision for a claim: missing or expired key. Nullopt: it is held.
  Result<std::optional<store::Revision>> Claimable(const std::string& key);

  store::Store& store_;
  Cache& cache_;
  Clock& clock_;
};

}  // namespace plimsoll::apiserver
