#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "apiserver/cache/cache.h"
#include "apiserver/read/list_options.h"
#include "apiserver/read/open_watches.h"
#include "apiserver/read/watch_feed.h"
#include "apiserver/read/watch_frames.h"
#include "apiserver/read/watch_metrics.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// One open watch. If the client wants initial events, it first sends the existing objects at the
/// client's pace. Events that arrive meanwhile wait and follow. After that, events are sent at
/// once, usually through a feed shared with similar watches.
///
/// It ends by timeout, by the client, by a reset of the cache, or if the client is too slow.
/// The first cause marks it as closed. A task of the clock does the rest, as the caller may hold
/// locks.
class WatchSession final : public CacheObserver,
                           public WatchFeed::Member,
                           public std::enable_shared_from_this<WatchSession> {
 public:
  WatchSession(std::shared_ptr<OpenWatches> watches, const ApiRequest& request, ListOptions options,
               const Negotiated& wanted, std::shared_ptr<net::Stream> stream);
  ~WatchSession() override;
  WatchSession(const WatchSession&) = delete;
  WatchSession& operator=(const WatchSession&) = delete;

  /// Call once, when a shared_ptr owns this object.
  void Start(Duration timeout);
  void OnEvent(const std::shared_ptr<const CacheEvent>& event) override;
  void OnReset() override;
  bool OnBatch(const net::Piece& piece) override;
  /// Ends the stream regularly.
  void End();

 private:
  std::shared_ptr<WatchFeed> ChooseFeed(const ApiRequest& request, const Negotiated& wanted) const;
  Status Subscribe();
  /// Sends waiting objects and events while there is room, and continues when there is more.
  void Pump();
  // Return true if more must be sent when there is room.
  bool PumpObjects();
  bool PumpEvents();
  void Feed(WatchFeed& feed, const std::shared_ptr<const CacheEvent>& event);
  bool Send(net::Piece piece);
  bool Write(net::Piece piece);
  void SendBookmarkEvery(Duration period);
  void SendBookmark();
  void TimeOut();
  void CloseLater();

  // Fields that every event reads, close together.
  std::atomic<bool> is_closed_ = false;
  std::atomic<WatchFeed*> active_feed_ =
      nullptr;  // set in OnEvent once the feed delivers the events

  const std::shared_ptr<OpenWatches> watches_;
  const Resource& resource_;
  const ListOptions options_;
  const WatchFrames frames_;
  WatchCounters counters_;
  const std::shared_ptr<net::Stream> stream_;
  const std::shared_ptr<WatchFeed> feed_;  // null: not shared with other watches
  std::atomic<bool> has_sent_ = false;

  // Used by the pumping thread only, one at a time.
  Picture initial_;
  std::size_t initial_next_ = 0;
  bool has_initial_ = false;  // initial objects or their bookmark must still be sent

  std::mutex mutex_;
  std::unique_ptr<Watcher> watcher_;
  bool is_live_ = false;  // nothing waits: events are sent at once
  std::deque<std::shared_ptr<const CacheEvent>> waiting_;
};

}  // namespace plimsoll::apiserver
