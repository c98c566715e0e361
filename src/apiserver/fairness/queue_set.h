#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "apiserver/fairness/flow_config.h"
#include "base/time.h"

namespace plimsoll::apiserver {

class FlowQueue;

/// Position of one request in a QueueSet. The owner sets the first group of members. It must not
/// move the ticket until it is finished or abandoned.
struct QueueTicket {
  enum class State : std::uint8_t { Idle, Waiting, Executing };

  std::uint32_t width = 1;      // seats
  std::uint64_t flow_hash = 0;  // selects the queues

  State state = State::Idle;
  Instant arrived{};
  Instant started{};
  FlowQueue* queue = nullptr;  // set if the request came from a queue
  QueueTicket* previous = nullptr;
  QueueTicket* next = nullptr;
};

/// Tickets in order of their arrival. A ticket is in one list at most.
struct TicketList {
  void Append(QueueTicket& ticket);
  void Remove(QueueTicket& ticket);

  QueueTicket* first = nullptr;
  QueueTicket* last = nullptr;
};

/// Requests of one flow, or of several that share the queue, oldest first.
class FlowQueue {
 public:
  explicit FlowQueue(std::uint32_t number) : index(number) {}

  void Append(QueueTicket& ticket);
  void Remove(QueueTicket& ticket);

  const std::uint32_t index;
  TicketList tickets;
  std::uint32_t waiting = 0;
  std::uint32_t waiting_seats = 0;
  std::uint32_t executing = 0;  // requests dispatched from this queue
  std::uint32_t executing_seats = 0;
  /// Virtual time, in seat-seconds of service, at which the next request may start.
  double start = 0;
};

/// Seats of one priority level and its queues: the scheduling core of API priority and fairness. It
/// has no lock, clock or thread.
///
/// While seats are free, a request takes them without touching a queue. Otherwise it joins the
/// shortest queue of its flow's hand. Free seats go to the queue that has received the least
/// service (start-time fair queuing). Each queue has a virtual start time, which grows by the
/// seat-seconds of every request it dispatches. The estimate is corrected when the request ends. So
/// two busy queues get equal shares of seat-seconds, whatever the number and cost of their
/// requests.
class QueueSet {
 public:
  enum class Arrival : std::uint8_t { Executing, Waiting, QueueFull, ConcurrencyLimit };
  using Tickets = std::vector<QueueTicket*>;

  QueueSet(std::optional<QueueConfig> queuing, std::uint32_t limit)
      : queuing_(queuing), limit_(limit) {}

  /// Gives the ticket its seats, queues it or rejects it.
  Arrival Arrive(QueueTicket& ticket, Instant now);
  /// Releases the seats of an executing ticket. Appends tickets that are dispatched instead.
  void Finish(QueueTicket& ticket, Instant now, Tickets& dispatched);
  /// Removes a waiting ticket. Appends tickets that are dispatched because it blocked them.
  void Abandon(QueueTicket& ticket, Instant now, Tickets& dispatched);
  /// Changes the number of seats. Executing tickets keep theirs.
  void SetLimit(std::uint32_t limit, Instant now, Tickets& dispatched);
  /// Changes the queues. Waiting tickets stay in their queues.
  void SetQueuing(std::optional<QueueConfig> queuing) { queuing_ = queuing; }
  /// Appends all waiting tickets, in no particular order.
  void ListWaiting(Tickets& waiting) const;

  std::uint32_t limit() const { return limit_; }
  std::uint32_t executing() const { return executing_; }
  std::uint32_t executing_seats() const { return executing_seats_; }
  std::uint32_t waiting() const { return waiting_; }
  std::uint32_t waiting_seats() const { return waiting_seats_; }
  /// Numbers of tickets that got their seats, and of rejected tickets, since the start.
  std::uint64_t dispatched() const { return dispatched_; }
  std::uint64_t rejected() const { return rejected_; }
  const TicketList& executing_tickets() const { return executing_tickets_; }
  /// Queues with requests, by index.
  const std::map<std::uint32_t, FlowQueue>& queues() const { return queues_; }
  std::size_t active_queues() const { return order_.size(); }
  /// Returns the estimated service of so many seats, in seat-seconds.
  static double EstimatedWork(std::uint32_t seats);
  /// Virtual time of the last dispatch, in seat-seconds.
  double virtual_time() const { return virtual_time_; }

 private:
  bool Fits(std::uint32_t width) const;
  /// Same as Arrive, but does not count refusals.
  Arrival Enqueue(QueueTicket& ticket, Instant now);
  void Execute(QueueTicket& ticket, Instant now);
  /// Returns the shortest queue of the flow's hand; creates it if needed.
  FlowQueue& ChooseQueue(std::uint64_t flow_hash);
  /// Changes the queue's start time, also in `order_`.
  void MoveStart(FlowQueue& queue, double start);
  void EraseIfIdle(FlowQueue& queue);
  void Dispatch(Instant now, Tickets& dispatched);

  std::optional<QueueConfig> queuing_;
  std::uint32_t limit_;
  std::uint32_t executing_ = 0;
  std::uint32_t executing_seats_ = 0;
  std::uint32_t waiting_ = 0;
  std::uint32_t waiting_seats_ = 0;
  std::uint64_t dispatched_ = 0;
  std::uint64_t rejected_ = 0;
  TicketList executing_tickets_;
  double virtual_time_ = 0;
  // Only queues with requests exist, so that memory depends on the requests. The configured number
  // of queues may be ten million.
  std::map<std::uint32_t, FlowQueue> queues_;
  std::set<std::pair<double, std::uint32_t>> order_;  // queues with waiting requests, by start
  std::vector<std::uint32_t> hand_;
};

}  // namespace plimsoll::apiserver
