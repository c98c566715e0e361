#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace plimsoll::store {

/// All watches of a store and their progress. Any thread may call Add, HasNew and the destructor of
/// a watch. Only the thread that makes changes may call the rest.
class WatchHub {
 public:
  WatchHub();
  ~WatchHub();
  WatchHub(const WatchHub&) = delete;
  WatchHub& operator=(const WatchHub&) = delete;

  /// Source of past changes, for watches that are behind.
  class Past {
   public:
    virtual ~Past() = default;
    virtual Revision latest() const = 0;
    /// Returns the changes after `after` of keys with this prefix. It reads a bounded number of
    /// them and sets `seen` to the last revision it covered. Expired: some are compacted.
    virtual Result<std::vector<Change>> Read(std::string_view prefix, Revision after,
                                             Revision& seen) const = 0;
  };

  /// The sink must outlive the watch; the watch need not outlive the hub.
  std::unique_ptr<Watch> Add(std::string prefix, Revision after, ChangeSink& sink);
  /// Returns true if a watch was added since the last CatchUp.
  bool HasNew() const;

  /// Replays some history to the watches that are behind. Returns true once none is behind.
  bool CatchUp(const Past& past);
  /// Returns true if Deliver will pass a change of this key to a sink that reads `before`.
  bool NeedsBefore(std::string_view key) const;
  /// Delivers the changes to all watches that are not behind.
  void Deliver(std::span<const Change> changes);
  /// Ends all watches, including those that were just added.
  void End(const Error& error);

 private:
  class Subscription;
  class Handle;

  void AdmitNew();

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Subscription>> new_;
  std::vector<std::shared_ptr<Subscription>> watches_;  // used only by the changing thread
};

}  // namespace plimsoll::store
