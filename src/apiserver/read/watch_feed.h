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

/// Batches events for all watches that want the same objects in the same form. An event is added
/// once for all members.
///
/// A write to a connection costs about the same for one event as for thirty. So with many members,
/// events soon after a flush wait a little, and each member gets them as one piece. Events after an
/// idle time are sent at once. The pause grows with the number of members up to an unnoticeable
/// limit; few members have none.
///
/// Many members are divided into rows, whose turns are spread over the pause.
/// With one turn for all, the last member would wait for the pause and for all others. Writers
/// would wait, too.
///
/// Safe for use by many threads, except as noted below.
class WatchFeed : public std::enable_shared_from_this<WatchFeed> {
 public:
  class Member {
   public:
    virtual ~Member() = default;
    /// Sends one or more events. Returns false to get no more. Must not call the feed.
    virtual bool OnBatch(const net::Piece& piece) = 0;
  };

  /// The clock must outlive this object.
  WatchFeed(Clock& clock, WatchCounters counters) : clock_(clock), counters_(counters) {}

  // Call these only in OnEvent: the cache makes one such call at a time.

  /// Adds a member, which receives events from the next Add on.
  void Join(Member& member);
  /// Returns true if another member has already added or skipped the event.
  bool Knows(store::Revision revision) const { return revision <= known_; }
  void Add(store::Revision revision, net::Piece piece);
  /// The event does not match the members' selection.
  void Skip(store::Revision revision) { known_ = revision; }

  /// Removes a member. It receives no calls after this.
  void RemoveMember(const Member& member);
  /// Sends the events that wait for the member. Call it before any other write to the member.
  void FlushFor(const Member& member);

 private:
  /// Members that receive the same pieces at the same time.
  struct Row {
    std::vector<Member*> members;
    std::vector<net::Piece> waiting;
    std::size_t waiting_bytes = 0;
    Instant turn{};            // events added before this time wait
    bool is_turn_set = false;  // the clock has a task for it
  };

  // All functions below require the lock.
  /// Returns the next turn of a row after a turn that all rows took together.
  Instant NextTurn(std::size_t index, Instant last) const;
  void AddTo(std::size_t index, const net::Piece& piece);
  void RunTurn(std::size_t index);
  static void Flush(Row& row);
  Row* RowOf(const Member& member);
  std::size_t MemberCount() const;
  Duration Pause() const;

  Clock& clock_;
  WatchCounters counters_;
  store::Revision known_{};

  std::mutex mutex_;  // guards all below; held while members are called
  std::vector<Row> rows_;
  Instant added_{};  // time of the last Add
};

}  // namespace plimsoll::apiserver
