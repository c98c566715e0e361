#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "apiserver/read/watch_metrics.h"
#include "base/clock.h"
#include "net/http.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// What goes to all watches that want the same objects in the same form. An event is added once,
/// however many they are.
///
/// A write to a connection costs much the same for one event as for thirty. So when the members are
/// many, what is added soon after a flush waits a little, and then goes to each of them as one
/// piece; what is added after a quiet time goes out at once. The pause grows with the number of
/// members up to a bound well below what anybody notices, and few members have none.
///
/// Many members stand in rows, whose turns are spread over the pause. Were it everybody's turn at
/// once, the last of them would wait for the pause and then for all others, and whoever wrote
/// meanwhile would wait too.
///
/// Safe for use by many threads, but for what is said of the cache's thread.
class WatchFeed : public std::enable_shared_from_this<WatchFeed> {
 public:
  class Member {
   public:
    virtual ~Member() = default;
    /// One or more events. False: it wants no more. Must not call back.
    virtual bool OnBatch(const net::Piece& piece) = 0;
  };

  /// The clock must outlive it.
  WatchFeed(Clock& clock, WatchCounters counters) : clock_(clock), counters_(counters) {}

  // Within OnEvent alone: the cache calls one at a time.

  /// From the next Add on.
  void Join(Member& member);
  /// Whether somebody has said already what the event is to the members.
  bool Knows(store::Revision revision) const { return revision <= known_; }
  void Add(store::Revision revision, net::Piece piece);
  /// The event is nothing to them.
  void Skip(store::Revision revision) { known_ = revision; }

  /// No call is made to it after that.
  void Leave(const Member& member);
  /// Sends what waits for the member. Who is to be sent something else needs it before.
  void FlushFor(const Member& member);

 private:
  /// Members that are sent the same pieces at the same time.
  struct Row {
    std::vector<Member*> members;
    std::vector<net::Piece> waiting;
    std::size_t waiting_bytes = 0;
    Instant turn{};            // what is added before it waits
    bool is_turn_set = false;  // the clock has a task for it
  };

  // All with the lock.
  /// Of a row, after one that all took together.
  Instant NextTurn(std::size_t index, Instant last) const;
  void AddTo(std::size_t index, const net::Piece& piece);
  void TakeTurn(std::size_t index);
  static void Flush(Row& row);
  Row* RowOf(const Member& member);
  std::size_t MemberCount() const;
  Duration Pause() const;

  Clock& clock_;
  WatchCounters counters_;
  store::Revision known_{};

  std::mutex mutex_;  // of all below; held while members are called
  std::vector<Row> rows_;
  Instant added_{};  // when something was, last
};

}  // namespace plimsoll::apiserver
