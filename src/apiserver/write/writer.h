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
#include "apiserver/cache/decode_stored.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/write/identity.h"
#include "apiserver/write/write_target.h"
#include "base/clock.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// What writes work with; all of it outlives the writer.
struct WriteParts {
  store::Store& store;
  Cache& cache;
  const ResourceTable& resources;
  const Authorizer& authorizer;  // of creates that come as updates
  Clock& clock;
  Identity& identity;
  ServiceAddresses& services;
  api::ValidationContext validation;
  std::vector<Admission*> admission;  // in this order
  /// Whether the value of a store's key must be written again though its object is unchanged, for
  /// example because its encryption key was replaced. Empty: never.
  std::function<bool(std::string_view key)> is_stale = {};
};

/// What became of a write.
struct Written {
  ObjectPtr object;  // as it is stored; null after a dry run
  std::string json;  // after a dry run: as it would be
  bool is_created = false;
  bool is_removed = false;  // the last finalizer went, and the object with it
};

/// The new object, given what is stored (null: nothing, and the kind may be created by an update).
/// Called again when somebody else was faster.
using Change = std::function<api::Answer<Draft>(const api::Object* before)>;

/// How an update may go.
struct UpdateRules {
  /// Whether an object that does not exist may be created, besides the kinds that always allow it.
  bool allows_create = false;
  std::string uid;  // that the object must have; empty: any
};

/// Writers of one object that keep beating each other give up after this.
inline constexpr Duration kWriteTimeMax = std::chrono::seconds(34);
/// The least code of answers that say nothing about the request itself.
inline constexpr int kServerFault = 500;

/// Carries objects into the store: name and identity, admission, the kind's own preparations,
/// validation, managed fields, and the compare-and-swap. Its calls wait for the disk. Safe for use
/// by many threads.
class Writer {
 public:
  explicit Writer(WriteParts parts) : parts_(std::move(parts)) {}

  /// The draft has the defaults of its kind and its managed fields.
  api::Answer<Written> Create(const WriteTarget& target, const Draft& draft);
  /// Also of sub-resources that are the object in part: status, finalize.
  api::Answer<Written> Update(const WriteTarget& target, const UpdateRules& rules,
                              const Change& change);

  /// The object as it is stored now, null when there is none; from the store itself where the cache
  /// may be behind it.
  api::Answer<ObjectPtr> Find(const WriteTarget& target, bool is_latest);
  /// Runs the chain, also for handlers of sub-resources with a body of another kind.
  api::Answer<void> Admit(AdmissionAttributes& attributes) const;
  api::Answer<void> Validate(const AdmissionAttributes& attributes) const;

  /// Commits an object in its stored form. Nothing: somebody else was faster.
  api::Answer<std::optional<Written>> Commit(const WriteTarget& target, std::string_view name,
                                             std::string stored, store::Revision expected);
  /// Likewise deletes it.
  api::Answer<std::optional<store::Revision>> Remove(const WriteTarget& target,
                                                     std::string_view name,
                                                     store::Revision expected);

  /// Calls `attempt` with what is stored until it gets somewhere: `api::Answer<std::optional<T>>
  /// attempt(const ObjectPtr& current)`, of which nothing means that somebody else was faster.
  template <class T, class Attempt>
  api::Answer<T> Settle(const WriteTarget& target, const Attempt& attempt);

  const WriteParts& parts() const { return parts_; }
  /// The resource whose objects the cache keeps: in its stored version.
  const Resource& Stored(const Resource& resource) const;

 private:
  bool IsStale(const WriteTarget& target) const;
  api::Answer<Written> FinishCreate(const WriteTarget& target, const Draft& draft);
  api::Answer<Written> StoreNew(const WriteTarget& target, const Draft& draft,
                                bool is_name_generated);
  api::Answer<void> AuthorizeCreate(const WriteTarget& target) const;
  api::Answer<void> PrepareUpdate(const WriteTarget& target, const Draft& draft,
                                  const api::Object& before,
                                  std::vector<std::shared_ptr<const void>>& held);
  api::Answer<std::optional<Written>> TryUpdate(const WriteTarget& target, const UpdateRules& rules,
                                                const Change& change, const ObjectPtr& current);

  WriteParts parts_;
};

api::StatusObject WriteTookTooLong();
/// Conflict: the object is not the one that the client saw, by its UID or ResourceVersion.
api::StatusObject PreconditionFailed(const WriteTarget& target, std::string_view field,
                                     std::string_view asked, std::string_view have);

/// What the gates are asked about a write; the document is null on delete.
AdmissionAttributes AttributesOf(const WriteTarget& target, Operation operation,
                                 codec::Document* document, const api::Object* before);

template <class T, class Attempt>
api::Answer<T> Writer::Settle(const WriteTarget& target, const Attempt& attempt) {
  bool is_latest = false;
  ObjectPtr current = PL_TRY(Find(target, is_latest));
  while (true) {
    api::Answer<std::optional<T>> tried = attempt(current);
    if (tried && tried->has_value()) return std::move(**tried);
    // When nobody knows whether it was done, another try could do it twice, or be refused because
    // of what the first one did.
    if (!tried && (is_latest || tried.error().code >= kServerFault)) {
      return std::unexpected(std::move(tried).error());
    }
    // What was refused on the word of a cache that is behind deserves a second look, and so does a
    // write that met another.
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
