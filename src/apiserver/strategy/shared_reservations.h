#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "base/clock.h"
#include "store/store.h"

namespace plimsoll::apiserver {

class Cache;

/// Sets values aside among all servers of one store, so that what two of them are asked for at the
/// same moment one alone gives away. A reservation is a key that its holder creates, which one can
/// do at a time, and deletes when the object with the value is stored. Whoever creates it next
/// therefore comes behind that object, and waits until its own cache does, too: what the cache does
/// not show then, nobody has. Safe for use by many threads; its calls wait.
class SharedReservations {
 public:
  /// A write takes less than a minute from its beginning to its end. What is held longer was left
  /// by a server that died, and is anybody's.
  static constexpr Duration kHeldMax = std::chrono::minutes(10);

  /// The references must outlive it, and what it gave.
  SharedReservations(store::Store& store, Cache& cache, Clock& clock);

  /// Held until destroyed. Nothing: another server holds it. ServiceUnavailable or Timeout as the
  /// store says.
  api::Answer<std::optional<std::shared_ptr<const void>>> Reserve(std::string_view value);

 private:
  Result<std::optional<store::Revision>> Claim(const std::string& key);
  /// What the key must be like to be ours: missing, or left behind. Nothing: it is held.
  Result<std::optional<store::Revision>> Claimable(const std::string& key);

  store::Store& store_;
  Cache& cache_;
  Clock& clock_;
};

}  // namespace plimsoll::apiserver
