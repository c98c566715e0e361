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
#include "apiserver/cache/cache.h"
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
  Clock& clock;
  Identity& identity;
  ServiceAddresses& services;
  api::ValidationContext validation;
  std::vector<Admission*> admission;  // in this order
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

/// Carries objects into the store: name and identity, admission, the kind's own preparations,
/// validation, managed fields, and the compare-and-swap. Its calls wait for the disk. Safe for use
/// by many threads.
class Writer {
 public:
  explicit Writer(WriteParts parts) : parts_(std::move(parts)) {}

  api::Answer<Written> Create(const WriteTarget& target, Draft draft);
  /// Also of sub-resources that are the object in part: status, finalize.
  api::Answer<Written> Update(const WriteTarget& target, const UpdateRules& rules,
                              const Change& change);

  /// The object as it is stored now; NotFound.
  api::Answer<ObjectPtr> Existing(const WriteTarget& target);
  /// Runs the chain, for handlers of sub-resources with a body of another kind.
  api::Answer<void> Admit(AdmissionAttributes& attributes);

  const WriteParts& parts() const { return parts_; }

 private:
  WriteParts parts_;
};

}  // namespace plimsoll::apiserver
