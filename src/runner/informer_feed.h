#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "api/pure_core.h"
#include "base/log.h"
#include "client/client.h"
#include "client/informer.h"

namespace plimsoll::runner {

struct InformerFeedOptions {
  bool keeps_lean_objects = false;   // see InformerOptions
  client::Transform transform = {};  // see InformerOptions
  std::uint64_t seed = 1;            // for random delays
};

/// Informers of several kinds as input of a core: every change, and Synced once all initial objects
/// have been reported.
class InformerFeed {
 public:
  /// Called by many threads.
  using Handler = std::function<void(api::CoreInput)>;

  /// The client and the log must outlive it.
  InformerFeed(const client::Client& client, std::span<const api::WatchedKind> watched,
               const InformerFeedOptions& options, Logger& log, Handler handler);
  InformerFeed(const InformerFeed&) = delete;
  InformerFeed& operator=(const InformerFeed&) = delete;

  /// Call it once.
  void Start();
  /// Returns after the last call of the handler. May be called several times.
  void Stop();

  bool HasSynced() const { return waiting_for_ == 0; }

 private:
  void OnEvent(const client::InformerEvent& event);

  const Handler handler_;
  std::atomic<std::size_t> waiting_for_ = 0;
  std::vector<std::unique_ptr<client::Informer>> informers_;
};

}  // namespace plimsoll::runner
