#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "api/status/status.h"
#include "api/validation/context.h"
#include "apiserver/admission/admission.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/cache/cache.h"
#include "apiserver/limits.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/write/identity.h"
#include "apiserver/write/write_target.h"
#include "base/clock.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Dependencies of the writer; all must outlive it.
struct WriteParts {
  store::Store& store;
  Cache& cache;
  const ResourceTable& resources;
  const Authorizer& authorizer;  // for creates by update
  Clock& clock;
  Identity& identity;
  ServiceAddresses& services;
  api::ValidationContext validation;
  std::vector<Admission*> admission;  // in the order of their calls
  /// Returns true if a stored value must be rewritten although its object is unchanged, for example
  /// after a change of the encryption key. Empty: never.
  std::function<bool(std::string_view key)> is_stale = {};
};

/// Result of a write.
struct Written {
  ObjectPtr object;  // as stored; null after a dry run
  std::string json;  // after a dry run: the object as it would be
  bool is_created = false;
  bool is_removed = false;  // the last finalizer was removed, and so was the object
};

/// Returns the new object. `before` is the stored object; null if there is none and an update may
/// create it. Called again after a conflict.
using Change = std::function<api::Answer<Draft>(const api::Object* before)>;

/// Returns the write of an object: its text, and its tree for the cache of this process.
store::Write MakeWrite(std::string key, const Draft& draft, store::Revision expected);

/// Conditions of an update.
struct UpdateRules {
  /// True if it may create a missing object, also of kinds that do not always allow this.
  bool allows_create = false;
  std::string uid;  // required uid; empty: any
};

/// Smallest code of errors that the request did not cause.
inline constexpr int kServerFault = 500;

/// Writes objects to the store: name and uid, admission, strategy of the kind, validation, managed
/// fields, and the compare-and-swap. Its calls block until the write is durable. Safe for use by
/// many threads.
class Writer {
 public:
  explicit Writer(WriteParts parts) : parts_(std::move(parts)) {}

  /// REQUIRES: the draft has the defaults of its kind and its managed fields.
  api::Answer<Written> Create(const WriteTarget& target, const Draft& draft);
  /// Also updates the sub-resources status and finalize.
  api::Answer<Written> Update(const WriteTarget& target, const UpdateRules& rules,
                              const Change& change);

  /// Returns the stored object, or null if there is none. `is_latest`: reads the store itself, as
  /// the cache may lag behind.
  api::Answer<ObjectPtr> Find(const WriteTarget& target, bool is_latest);
  /// Runs the admission chain, also for sub-resources with a body of another kind.
  api::Answer<void> Admit(AdmissionAttributes& attributes) const;
  api::Answer<void> Validate(const AdmissionAttributes& attributes) const;

  /// Commits an object of the stored kind, which must not change afterwards. Returns nullopt after
  /// a conflict.
  api::Answer<std::optional<Written>> Commit(const WriteTarget& target, std::string_view name,
                                             const Draft& draft, store::Revision expected);
  /// Deletes an object. Returns nullopt after a conflict.
  api::Answer<std::optional<store::Revision>> Remove(const WriteTarget& target,
                                                     std::string_view name,
                                                     store::Revision expected);

  /// Calls `attempt` with the stored object until it succeeds or fails:
  /// `api::Answer<std::optional<T>> attempt(const ObjectPtr& current)`. Nullopt means a conflict.
  template <class T, class Attempt>
  api::Answer<T> RetryOnConflict(const WriteTarget& target, const Attempt& attempt);

  const WriteParts& parts() const { return parts_; }
  /// Returns the resource in its stored version, which the cache holds.
  const Resource& Stored(const Resource& resource) const;

 private:
  bool IsStale(const WriteTarget& target) const;
  api::Answer<Written> FinishCreate(const WriteTarget& target, const Draft& draft);
  api::Answer<Written> StoreNew(const WriteTarget& target, const Draft& draft,
                                bool is_name_generated);
  api::Answer<void> AuthorizeCreate(const WriteTarget& target) const;
  api::Answer<void> PrepareUpdate(const WriteTarget& target, const Draft& draft,
                                  const api::Object& before,
                                  std::vector<Reservation>& reservations);
  api::Answer<std::optional<Written>> TryUpdate(const WriteTarget& target, const UpdateRules& rules,
                                                const Change& change, const ObjectPtr& current);

  WriteParts parts_;
};

api::StatusObject WriteTookTooLong();
/// Returns a Conflict: UID or ResourceVersion of the object is not the one in the request.
api::StatusObject PreconditionFailed(const WriteTarget& target, std::string_view field,
                                     std::string_view asked, std::string_view have);

/// Returns the attributes of a write for admission. `document` is null for a delete.
AdmissionAttributes AttributesOf(const WriteTarget& target, Operation operation,
                                 codec::Document* document, const api::Object* before);

template <class T, class Attempt>
api::Answer<T> Writer::RetryOnConflict(const WriteTarget& target, const Attempt& attempt) {
  bool is_latest = false;
  ObjectPtr current = PL_TRY(Find(target, is_latest));
  while (true) {
    api::Answer<std::optional<T>> tried = attempt(current);
    if (tried && tried->has_value()) return std::move(**tried);
    // If the outcome is unknown, a retry could repeat the write, or fail because of the first
    // attempt.
    if (!tried && (is_latest || tried.error().code >= kServerFault)) {
      return std::unexpected(std::move(tried).error());
    }
    // Retry after a conflict, and after an
    // error that a stale cache may have caused.
    const ObjectPtr latest = PL_TRY(Find(target, true));
    is_latest = true;
    const bool is_same = (latest == nullptr) == (current == nullptr) &&
                         (latest == nullptr || latest->revision() == current->revision());
    if (!tried && is_same) return std::unexpected(std::move(tried).error());
    if (parts_.clock.Now() - target.received > kWriteTimeMax) {
      return std::unexpected(WriteTookTooLong());
    }
    current = latest;
  }
}

}  // namespace plimsoll::apiserver
