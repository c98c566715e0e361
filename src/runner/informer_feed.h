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
  bool is_lean = false;             // of InformerOptions, as are …
  client::Transform transform = {};
  std::vector<std::string_view> unread = {};
};

/// Informers of several kinds, as what a core is told: every change, and Synced once all that there
/// was at the start has been told.
class InformerFeed {
 public:
  /// Called by many threads.
  using Tell = std::function<void(api::CoreInput)>;

  /// The client and the log must outlive it. `seed` is of delays.
  InformerFeed(const client::Client& client, const std::vector<WatchedObjects>& watched,
               std::uint64_t seed, Logger& log, Tell tell);
  InformerFeed(const InformerFeed&) = delete;
  InformerFeed& operator=(const InformerFeed&) = delete;

  /// Once.
  void Start();
  /// Returns when nothing is told any more. Any number of times.
  void Stop();

  bool HasSynced() const { return waiting_for_ == 0; }

 private:
  void OnEvent(const client::InformerEvent& event);

  const Tell tell_;
  std::atomic<std::size_t> waiting_for_ = 0;
  std::vector<std::unique_ptr<client::Informer>> informers_;
};

}  // namespace plimsoll::runner
