#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "apiserver/fairness/fairness_metrics.h"
#include "apiserver/fairness/flow_config.h"
#include "apiserver/fairness/level_dump.h"
#include "apiserver/fairness/queue_set.h"
#include "apiserver/fairness/seat_allocation.h"
#include "apiserver/fairness/seat_demand.h"
#include "apiserver/request/api_request.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

class Seat;

/// A priority level at run time: its queues and statistics behind one lock.
/// Safe for use by many threads. Seats share its ownership, so a deleted level lives until its last
/// request ends.
class PriorityLevel {
 public:
  /// The clock must outlive all seats of the level.
  PriorityLevel(bool is_exempt, Clock& clock, const LevelMetrics& metrics);

  bool is_exempt() const { return is_exempt_; }
  /// Sets the queues and the bounds of the seats. If the bounds change, the level starts again with
  /// its nominal seats.
  void Configure(const LevelConfig& config, const SeatBounds& bounds);
  std::uint32_t widest() const { return widest_.load(std::memory_order_relaxed); }

  /// Ends a statistics period and returns the level's claim for the next one.
  SeatClaim Claim();
  /// Sets the number of seats for the next period.
  void SetLimit(std::uint32_t limit);
  /// Records the current utilization and demand.
  void Sample();
  /// Returns the number of requests that its queues can hold.
  double queue_places() const;
  // The rows of the debugging pages, without the level's name. Each call has the lock for a time
  // that is linear in the rows that it adds.
  LevelRow Summarize() const;
  void ListQueues(RowList<QueueRow>& list) const;
  /// Adds the waiting requests of each queue and then the executing ones.
  void ListRequests(RowList<RequestRow>& list) const;

  /// Rejects all waiting requests, and from now on those that would have to wait.
  void Close();

 private:
  friend class Seat;
  using Seats = std::vector<std::shared_ptr<Seat>>;

  /// REQUIRES: mutex_ is held.
  void NoteDemand(Instant now);
  /// Moves the owners of dispatched tickets out of their seats. REQUIRES: mutex_ is held.
  static RequestRow RowOf(const QueueTicket& ticket);
  static void MoveOwners(const QueueSet::Tickets& tickets, Seats& owners);
  std::uint32_t LimitOf(std::uint32_t seats) const;

  const bool is_exempt_;
  Clock& clock_;
  LevelMetrics metrics_;
  std::atomic<std::uint32_t> widest_ = 1;

  mutable std::mutex mutex_;  // guards all below, and the ticket of every seat
  SeatBounds bounds_;
  QueueSet queues_;
  std::optional<QueueConfig> queuing_;
  SeatDemand demand_;
  double smoothed_demand_ = 0;
  std::uint64_t refused_ = 0;    // waiting requests that Close has refused
  std::uint64_t timed_out_ = 0;  // requests that have waited too long
  bool is_closed_ = false;
};

/// A FlowSchema and its priority level. Immutable.
struct Flow {
  FlowConfig config;
  std::string level_name;
  std::string level_uid;
  std::shared_ptr<PriorityLevel> level;
  mutable FlowMetrics metrics;  // handles, safe for use by many threads
};

/// Seats of one request at its level, held from Acquire until Release or destruction. May be
/// acquired again. Only one thread at a time may call Acquire and Release.
class Seat final : private QueueTicket, public std::enable_shared_from_this<Seat> {
 public:
  enum class Outcome : std::uint8_t { Seated, Waiting, Refused };
  using Then = std::move_only_function<void(Outcome)>;

  /// `hash` chooses the flow's queues.
  Seat(std::shared_ptr<const Flow> flow, std::shared_ptr<const ApiRequest> request,
       std::uint32_t seats, std::uint64_t hash);
  ~Seat() { Release(); }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  /// Takes the seats. If the outcome is Waiting, calls `then` once, later and on any thread: with
  /// Seated, or with Refused after `patience`. The seat keeps itself alive until then. Otherwise
  /// `then` is not called. `then` must not do the request's work: it runs on the thread of the
  /// request that has just ended.
  Outcome Acquire(Duration patience, Then then);
  /// Releases the seats, if it has any, and dispatches waiting requests.
  void Release();

  const Flow& flow() const { return *flow_; }

 private:
  friend class PriorityLevel;

  void GiveUp(Instant deadline);
  /// Calls `then` of each seat. REQUIRES: the seats have just been dispatched.
  static void Wake(const PriorityLevel::Seats& seats);
  void NoteRefusal(QueueSet::Arrival arrival);
  /// Adds `by` requests like this one to those that wait, or that execute.
  void CountWaiting(int by);
  void CountExecuting(int by);

  const std::shared_ptr<const Flow> flow_;
  const std::shared_ptr<const ApiRequest> request_;
  std::atomic<bool> is_held_ = false;
  Instant deadline_{};
  Then then_;
  std::shared_ptr<Seat> self_;  // set while it waits
};

}  // namespace plimsoll::apiserver
