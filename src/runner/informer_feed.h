#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/core_input.h"
#include "base/log.h"
#include "client/client.h"
#include "client/informer.h"

namespace plimsoll::runner {

struct WatchedObjects {
  const api::KindDesc* kind = nullptr;
  std::string field_selector = {};  // empty: all
  bool is_lean = false;             // see InformerOptions, also for …
  client::Transform transform = {};
  std::vector<std::string_view> unread = {};
};

/// Informers of several kinds as input of a core: every change, and Synced once all initial objects
/// have been reported.
class InformerFeed {
 public:
  /// Called by many threads.
  using Tell = std::function<void(api::CoreInput)>;

  /// The client and the log must outlive it. `seed` is for random delays.
  InformerFeed(const client::Client& client, const std::vector<WatchedObjects>& watched,
               std::uint64_t seed, Logger& log, Tell tell);
  InformerFeed(const InformerFeed&) = delete;
  InformerFeed& operator=(const InformerFeed&) = delete;

  /// Call it once.
  void Start();
  /// Returns after the last call of `tell`. May be called several times.
  void Stop();

  bool HasSynced() const { return waiting_for_ == 0; }

 private:
  void OnEvent(const client::InformerEvent& event);

  const Tell tell_;
  std::atomic<std::size_t> waiting_for_ = 0;
  std::vector<std::unique_ptr<client::Informer>> informers_;
};

}  // namespace plimsoll::runner
