#pragma once

#include <memory>
#include <span>
#include <vector>

#include "store/store.h"

namespace plimsoll::store {

/// Storage of an IndexedStore's values. Each value is stored under the revision that made it,
/// so it is written once, at the end, and never overwritten. The index maps keys to
/// revisions.
///
/// Append, Forget and Recover are called by one thread; any thread may call the rest.
class Engine {
 public:
  /// All values as of the call of Snapshot. A later Forget does not affect it.
  class View {
   public:
    virtual ~View() = default;
    /// Returns the values of these revisions, in the same order; null for kNoRevision.
    virtual Result<std::vector<Bytes>> Values(std::span<const Revision> revisions) const = 0;
  };

  virtual ~Engine() = default;

  /// Stores all of the changes or none of them. They are durable when it returns.
  /// ServiceUnavailable: none is stored. Timeout: unknown.
  virtual Status Append(std::span<const Change> changes) = 0;

  virtual std::unique_ptr<View> Snapshot() const = 0;

  /// Deletes the values of `revisions` and stores `compacted` as the compacted revision. After an
  /// error nothing is deleted; the caller may try again.
  virtual Status Compact(Revision compacted, std::span<const Revision> revisions) = 0;

  /// Returns InternalError while the engine is over its quota; then only deletions may be appended.
  virtual Status Space() const { return {}; }
  /// Reclaims the disk space of deleted values. Takes long; any thread may call it.
  virtual Status Defragment() { return {}; }

  /// Returns an error if Append would fail, with advice for the operator.
  virtual Status Health() const = 0;
  /// Tries to recover. Called from time to time while Health returns an error.
  virtual void Recover() = 0;
};

}  // namespace plimsoll::store
