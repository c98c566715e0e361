#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.h"
#include "base/log.h"
#include "client/client.h"
#include "client/informer_core.h"

namespace plimsoll::client {

/// Converts an object of the server to the one that the informer caches and reports; often the
/// same. Called on the informer's thread.
using Transform = std::function<ObjectPtr(const ObjectPtr&)>;

struct InformerOptions {
  const api::KindDesc& kind;
  std::string namespace_;  // empty: all
  std::string label_selector;
  std::string field_selector;
  std::int64_t page_size = 500;
  bool use_watch_list = false;
  /// Fields that objects may come without; see WatchOptions.
  std::vector<std::string_view> unread = {};
  bool is_lean = false;                // caches and reports objects as LeanObject makes them
  Transform transform = {};            // empty: objects are not changed
  Duration resync = Duration::zero();  // period of reporting all objects again; zero: never
  BackoffOptions backoff;
  std::uint64_t seed = 1;  // for random delays and watch time-outs
};

/// Caches the objects of one kind, and reports every change in order. It lists, then watches from
/// there. If the connection breaks, no change is reported twice, and no lasting change is
/// lost.
class Informer {
 public:
  /// Called by one thread of the informer at a time. It delays later events, and must neither Stop
  /// nor destroy the informer. The cache already contains the change.
  using Handler = std::function<void(const InformerEvent&)>;

  /// The client, its clock and the log must outlive it.
  Informer(const Client& client, InformerOptions options, Logger& log, Handler handler);
  /// Calls Stop.
  ~Informer();
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  /// Call it once.
  void Start();
  /// Returns after the last call of the handler. May be called several times, from any thread
  /// except the informer's.
  void Stop();

  // The methods below may be called from any thread.

  /// Returns true if the handler has received Synced.
  bool HasSynced() const;
  /// Blocks until HasSynced. Returns false if the informer was stopped first.
  bool WaitForSync() const;
  /// Returns null if there is no such object.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;
  /// Returns all objects, sorted by namespace and name.
  std::vector<ObjectPtr> All() const;

 private:
  class Loop;

  const std::shared_ptr<Loop> loop_;
};

}  // namespace plimsoll::client
