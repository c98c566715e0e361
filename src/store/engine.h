#pragma once

#include <memory>
#include <span>
#include <vector>

#include "store/store.h"

namespace plimsoll::store {

/// Where an IndexedStore keeps its values: each under the revision that made it, so that a value is
/// written once, at the end, and never again. Which key has which revisions is the index's
/// business.
///
/// Append, Forget and Heal are called by one thread, the rest by any.
class Engine {
 public:
  /// All values as they were when it was asked for, whatever is forgotten since.
  class View {
   public:
    virtual ~View() = default;
    /// What these revisions made, in the order asked for; null for kNoRevision.
    virtual Result<std::vector<Bytes>> Values(std::span<const Revision> revisions) const = 0;
  };

  virtual ~Engine() = default;

  /// Keeps all of the changes or none of them; once it has returned, for good.
  /// ServiceUnavailable: none. Timeout: nobody knows.
  virtual Status Append(std::span<const Change> changes) = 0;

  virtual std::unique_ptr<View> Snapshot() const = 0;

  /// Forgets those revisions, and remembers that all is compacted up to there. After an error
  /// nothing is forgotten; it may be tried again.
  virtual Status Forget(Revision compacted, std::span<const Revision> revisions) = 0;

  /// InternalError when the engine is over its quota: then only deletions may be appended.
  virtual Status Space() const { return {}; }
  /// Gives the space of what was forgotten back to the disk. Takes long; any thread.
  virtual Status Defragment() { return {}; }

  /// An error when Append would fail, with what an operator can do.
  virtual Status Health() const = 0;
  /// Tries to get well again. Called now and then while Health is an error.
  virtual void Heal() = 0;
};

}  // namespace plimsoll::store
