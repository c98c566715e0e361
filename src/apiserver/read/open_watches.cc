#include "apiserver/read/open_watches.h"

#include <algorithm>
#include <utility>

#include "apiserver/limits.h"
#include "apiserver/read/watch_feed.h"
#include "apiserver/read/watch_session.h"

namespace plimsoll::apiserver {

OpenWatches::OpenWatches(Cache& cache, Clock& clock, MetricsRegistry& metrics, std::uint64_t seed)
    : cache_(cache), clock_(clock), metrics_(metrics), random_(seed) {}

Duration OpenWatches::TimeoutOf(const ListOptions& options) {
  constexpr std::int64_t kSecondsMax = kWatchTimeoutMax / std::chrono::seconds(1);
  constexpr std::int64_t kSecondsMin = kWatchTimeoutMin / std::chrono::seconds(1);
  const std::int64_t asked = options.timeout_seconds.value_or(0);
  if (asked > 0) return std::chrono::seconds(std::min(asked, kSecondsMax));
  // Random, so that watches that began together do not end together.
  const std::scoped_lock lock(mutex_);
  return std::chrono::seconds(random_.Between(kSecondsMin, 2 * kSecondsMin - 1));
}

void OpenWatches::Begin(const ApiRequest& request, const ListOptions& options,
                        const Negotiated& wanted, net::Exchange& exchange) {
  Negotiated headers_only;
  net::Headers headers = RespondJson(request, headers_only, 200, "").headers;
  std::shared_ptr<net::Stream> stream = exchange.Begin(200, std::move(headers));
  const auto session = std::make_shared<WatchSession>(shared_from_this(), request, options, wanted,
                                                      std::move(stream));
  {
    const std::scoped_lock lock(mutex_);
    if (is_ending_) return session->End();
    open_.insert(session);
  }
  session->Start(TimeoutOf(options));
}

void OpenWatches::Forget(const std::shared_ptr<WatchSession>& session) {
  const std::scoped_lock lock(mutex_);
  open_.erase(session);
}

std::shared_ptr<WatchFeed> OpenWatches::FeedOf(const Resource& resource, std::string class_key) {
  const std::scoped_lock lock(mutex_);
  if (feeds_.size() > 2 * feeds_swept_ + 64) {
    std::erase_if(feeds_, [](const auto& entry) { return entry.second.expired(); });
    feeds_swept_ = feeds_.size();
  }
  std::weak_ptr<WatchFeed>& known = feeds_[{&resource, std::move(class_key)}];
  std::shared_ptr<WatchFeed> feed = known.lock();
  if (feed == nullptr) {
    feed = std::make_shared<WatchFeed>(clock_, metrics_.Of(resource));
    known = feed;
  }
  return feed;
}

std::size_t OpenWatches::count() const {
  const std::scoped_lock lock(mutex_);
  return open_.size();
}

void OpenWatches::EndAll() {
  std::set<std::shared_ptr<WatchSession>> ending;
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    ending.swap(open_);
  }
  for (const auto& session : ending) session->End();
}

}  // namespace plimsoll::apiserver
