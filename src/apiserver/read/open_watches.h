#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "apiserver/cache/cache.h"
#include "apiserver/read/list_options.h"
#include "apiserver/read/watch_metrics.h"
#include "apiserver/request/api_request.h"
#include "apiserver/response/negotiation.h"
#include "base/clock.h"
#include "base/random.h"
#include "net/http.h"

namespace plimsoll::apiserver {

class WatchFeed;
class WatchSession;

/// All open watches; each of them shares ownership. Safe for use by many threads.
class OpenWatches : public std::enable_shared_from_this<OpenWatches> {
 public:
  OpenWatches(Cache& cache, Clock& clock, MetricsRegistry& metrics, std::uint64_t seed);
  OpenWatches(const OpenWatches&) = delete;
  OpenWatches& operator=(const OpenWatches&) = delete;

  /// Begins the stream. REQUIRES: the cache is as fresh as the options require.
  void Begin(const ApiRequest& request, const ListOptions& options, const Negotiated& wanted,
             net::Exchange& exchange);
  /// Ends all open watches and all that begin later. Call it before releasing this object.
  void EndAll();
  std::size_t count() const;

 private:
  friend class WatchSession;
  void Forget(const std::shared_ptr<WatchSession>& session);
  /// Returns the feed that watches with the same key share.
  std::shared_ptr<WatchFeed> FeedOf(const Resource& resource, std::string class_key);
  Duration TimeoutOf(const ListOptions& options);

  Cache& cache_;
  Clock& clock_;
  WatchMetrics metrics_;

  mutable std::mutex mutex_;
  Random random_;
  std::set<std::shared_ptr<WatchSession>> open_;
  std::map<std::pair<const Resource*, std::string>, std::weak_ptr<WatchFeed>> feeds_;
  std::size_t feeds_swept_ = 0;  // number of feeds after the last removal of expired ones
  bool is_ending_ = false;
};

}  // namespace plimsoll::apiserver
