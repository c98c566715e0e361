#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/worker_pool.h"
#include "client/client.h"
#include "client/informer_core.h"

namespace plimsoll::client {

/// Makes of an object as the server has it the one that is kept and told; often the same. Called on
/// the informer's thread.
using Transform = std::function<ObjectPtr(const ObjectPtr&)>;

struct InformerOptions {
  const api::KindDesc& kind;
  std::string namespace_;  // empty: all
  std::string label_selector;
  std::string field_selector;
  std::int64_t page_size = 500;
  bool use_watch_list = false;
  /// As of WatchOptions: what objects need not be told with.
  std::vector<std::string_view> unread = {};
  bool is_lean = false;                // keeps and tells objects as LeanObject has them
  Transform transform = {};            // empty: objects are told as they are
  Duration resync = Duration::zero();  // every object is told again so often; zero: never
  BackoffOptions backoff;
  std::uint64_t seed = 1;  // of what is left to chance: delays, and how long a watch is asked for
};

/// Keeps the objects of one kind as the server has them, and tells every change, in order. It
/// lists, then watches from there; however often the connection breaks, nothing is told twice and
/// nothing that lasts is left out.
class Informer {
 public:
  /// Called by one thread at a time, which is the informer's: it holds up what follows, and must
  /// neither Stop nor destroy the informer. The store already holds what is told.
  using Handler = std::function<void(const InformerEvent&)>;

  /// The client, its clock and the log must outlive it.
  Informer(const Client& client, InformerOptions options, Logger& log, Handler handler);
  /// Stops.
  ~Informer();
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  /// Once.
  void Start();
  /// Returns when the handler has been called for the last time. Any number of times, from any
  /// thread but the informer's.
  void Stop();

  // From any thread:

  /// Whether the handler has been told Synced.
  bool HasSynced() const;
  /// Waits for it. False when the informer was stopped first.
  bool WaitForSync() const;
  /// Null when there is none.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;
  /// In the order of namespace and name.
  std::vector<ObjectPtr> All() const;

 private:
  class Loop;

  const std::shared_ptr<Loop> loop_;
};

}  // namespace plimsoll::client
