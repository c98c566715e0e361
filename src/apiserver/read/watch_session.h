#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "apiserver/cache/cache.h"
#include "apiserver/read/list_options.h"
#include "apiserver/read/watch_feed.h"
#include "apiserver/read/watch_frames.h"
#include "apiserver/read/watch_metrics.h"
#include "apiserver/read/watches.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// One open watch. It begins with the objects that there are, if the client wants them, at the
/// client's pace; what happens meanwhile waits, and follows. Then events go out as they come, most
/// often by way of the feed that it shares with others of its kind.
///
/// It ends by time, by the client, by the cache's reset, or when the client is too slow. Whichever
/// comes first marks it as closed; the rest is done by a task of the clock, as the one who finds
/// out may hold locks.
class WatchSession final : public CacheObserver,
                           public WatchFeed::Member,
                           public std::enable_shared_from_this<WatchSession> {
 public:
  WatchSession(std::shared_ptr<Watches> watches, const ApiRequest& request, ListOptions options,
               const Negotiated& wanted, std::shared_ptr<net::Stream> stream);
  ~WatchSession() override;
  WatchSession(const WatchSession&) = delete;
  WatchSession& operator=(const WatchSession&) = delete;

  /// Once, after it was made and is shared.
  void Start(Duration timeout);
  void OnEvent(const std::shared_ptr<const CacheEvent>& event) override;
  void OnReset() override;
  bool OnBatch(const net::Piece& piece) override;
  /// Ends the stream properly.
  void End();

 private:
  std::shared_ptr<WatchFeed> ChooseFeed(const ApiRequest& request, const Negotiated& wanted) const;
  Status Subscribe();
  /// Sends what waits, as far as there is room, and goes on when there is more.
  void Pump();
  // True: there is more, for when there is room.
  bool PumpObjects();
  bool PumpEvents();
  void Feed(WatchFeed& feed, const std::shared_ptr<const CacheEvent>& event);
  bool Send(net::Piece piece);
  bool Write(net::Piece piece);
  void SendBookmarkEvery(Duration period);
  void SendBookmark();
  void TimeOut();
  void CloseLater();

  // What every event asks, close together.
  std::atomic<bool> is_closed_ = false;
  std::atomic<WatchFeed*> fed_ = nullptr;  // the feed once events come by it, set within OnEvent

  const std::shared_ptr<Watches> watches_;
  const Resource& resource_;
  const ListOptions options_;
  const WatchFrames frames_;
  WatchCounters counters_;
  const std::shared_ptr<net::Stream> stream_;
  const std::shared_ptr<WatchFeed> feed_;  // null when it has none to share it with
  std::atomic<bool> has_sent_ = false;

  // Of the thread that pumps, one at a time.
  Picture initial_;
  std::size_t initial_next_ = 0;
  bool has_initial_ = false;  // to be sent, or its end to be told

  std::mutex mutex_;
  std::unique_ptr<CacheSubscription> subscription_;
  bool is_live_ = false;  // nothing waits: events go out as they come
  std::deque<std::shared_ptr<const CacheEvent>> waiting_;
};

}  // namespace plimsoll::apiserver
