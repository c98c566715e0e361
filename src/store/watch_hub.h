#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace plimsoll::store {

/// All watches of a store, and who has seen what. Add and the end of a watch: any thread; the rest:
/// the one thread that makes changes.
class WatchHub {
 public:
  WatchHub();
  ~WatchHub();
  WatchHub(const WatchHub&) = delete;
  WatchHub& operator=(const WatchHub&) = delete;

  /// What a watch has still to be told of when it begins, or of what it fell behind.
  class Past {
   public:
    virtual ~Past() = default;
    virtual Revision latest() const = 0;
    /// The changes after the revision, of keys with that prefix, up to `seen`, which it sets: not
    /// so far that it takes long. Expired: some are compacted.
    virtual Result<std::vector<Change>> Read(std::string_view prefix, Revision after,
                                             Revision& seen) const = 0;
  };

  /// The sink must outlive the watch, the watch need not outlive the hub.
  std::unique_ptr<Watch> Add(std::string prefix, Revision after, ChangeSink& sink);
  /// Whether somebody came since the last CatchUp.
  bool HasNew() const;

  /// Reads the past, some of it, for those that are behind. True when nobody is behind any more.
  bool CatchUp(const Past& past);
  /// Whether Deliver will tell anybody of a change of that key who reads what was there before.
  bool NeedsBefore(std::string_view key) const;
  /// Tells everybody who is not behind.
  void Deliver(std::span<const Change> changes);
  /// Ends all, those that were added just now as well.
  void End(const Error& error);

 private:
  class Subscription;
  class Handle;

  void TakeNew();

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Subscription>> new_;
  std::vector<std::shared_ptr<Subscription>> watches_;  // of the changing thread
};

}  // namespace plimsoll::store
