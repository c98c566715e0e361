#include "apiserver/strategy/shared_reservations.h"

#include "apiserver/cache/cache.h"
#include "apiserver/limits.h"
#include "base/time.h"
#include "base/time_arithmetic.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kPrefix = "/registry/plimsoll.io/reserved/";

}  // namespace

SharedReservations::SharedReservations(store::Store& store, Cache& cache, Clock& clock)
    : store_(store), cache_(cache), clock_(clock) {}

api::Answer<std::optional<Reservation>> SharedReservations::Reserve(std::string_view value) {
  const std::string key = std::string(kPrefix) + std::string(value);
  const Result<std::optional<store::Revision>> claimed = Claim(key);
  if (!claimed) return std::unexpected(api::FromError(claimed.error()));
  if (!*claimed) return std::nullopt;
  const store::Revision revision = **claimed;
  // Not awaited: if it fails, the key stays until kReservationAgeMax.
  Reservation reservation([this, key, revision] {
    store_.Commit({key, nullptr, revision}, [](const Result<store::Revision>&) {});
  });
  const Status reached = cache_.WaitFor(revision, kReservationCacheWaitMax);
  if (!reached) return std::unexpected(api::FromError(reached.error()));
  return reservation;
}

Result<std::optional<store::Revision>> SharedReservations::Claim(const std::string& key) {
  const Bytes since = MakeBytes(FormatTime(clock_.Now()));
  Result<store::Revision> made = store_.CommitAndWait({key, since, store::kNoRevision});
  if (!made && made.error().reason == Reason::Conflict) {
    const std::optional<store::Revision> left = PL_TRY(Claimable(key));
    if (!left) return std::nullopt;
    made = store_.CommitAndWait({key, since, *left});
  }
  if (made) return *made;
  if (made.error().reason == Reason::Conflict) return std::nullopt;
  return std::unexpected(made.error());
}

Result<std::optional<store::Revision>> SharedReservations::Claimable(const std::string& key) {
  const std::optional<store::Record> record = PL_TRY(store_.Get(key));
  if (!record) return store::kNoRevision;
  const Result<Instant> since = ParseTime(*record->value);
  if (since && TimeBetween(*since, clock_.Now()) < kReservationAgeMax) return std::nullopt;
  return record->revision;
}

}  // namespace plimsoll::apiserver
