#include "apiserver/fairness/queue_set.h"

#include <algorithm>
#include <limits>

#include "apiserver/fairness/shuffle_shard.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

/// Estimated service time of a request until it ends, as upstream.
constexpr double kServiceGuessSeconds = 0.003;

/// Minimum service time charged to a request. Without it, requests that take no measurable time
/// would not change the order of the queues, and one queue would get every turn.
constexpr double kServiceMinSeconds = 1e-6;

double SeatSeconds(const QueueTicket& ticket, double seconds) { return ticket.width * seconds; }

}  // namespace

void TicketList::Append(QueueTicket& ticket) {
  ticket.previous = last;
  ticket.next = nullptr;
  (last == nullptr ? first : last->next) = &ticket;
  last = &ticket;
}

void TicketList::Remove(QueueTicket& ticket) {
  (ticket.previous == nullptr ? first : ticket.previous->next) = ticket.next;
  (ticket.next == nullptr ? last : ticket.next->previous) = ticket.previous;
  ticket.previous = ticket.next = nullptr;
}

void FlowQueue::Append(QueueTicket& ticket) {
  ticket.queue = this;
  tickets.Append(ticket);
  ++waiting;
  waiting_seats += ticket.width;
}

void FlowQueue::Remove(QueueTicket& ticket) {
  tickets.Remove(ticket);
  --waiting;
  waiting_seats -= ticket.width;
}

bool QueueSet::Fits(std::uint32_t width) const {
  if (limit_ == 0) return false;
  // A request that is wider than the whole level runs alone.
  return executing_seats_ == 0 || static_cast<std::uint64_t>(executing_seats_) + width <= limit_;
}

void QueueSet::Execute(QueueTicket& ticket, Instant now) {
  ticket.state = QueueTicket::State::Executing;
  ticket.started = now;
  executing_tickets_.Append(ticket);
  ++dispatched_;
  ++executing_;
  executing_seats_ += ticket.width;
}

double QueueSet::EstimatedWork(std::uint32_t seats) { return seats * kServiceGuessSeconds; }

QueueSet::Arrival QueueSet::Arrive(QueueTicket& ticket, Instant now) {
  const Arrival arrival = Enqueue(ticket, now);
  if (arrival != Arrival::Executing && arrival != Arrival::Waiting) ++rejected_;
  return arrival;
}

QueueSet::Arrival QueueSet::Enqueue(QueueTicket& ticket, Instant now) {
  PL_ASSERT(ticket.state == QueueTicket::State::Idle);
  ticket.arrived = now;
  ticket.queue = nullptr;
  if (waiting_ == 0 && Fits(ticket.width)) {
    Execute(ticket, now);
    return Arrival::Executing;
  }
  if (!queuing_) return Arrival::ConcurrencyLimit;
  FlowQueue& queue = ChooseQueue(ticket.flow_hash);
  if (queue.waiting >= queuing_->length_limit) return Arrival::QueueFull;
  const bool was_empty = queue.waiting == 0;
  queue.Append(ticket);
  ticket.state = QueueTicket::State::Waiting;
  ++waiting_;
  waiting_seats_ += ticket.width;
  if (was_empty) {
    // An idle queue gets no credit for its idle time.
    queue.start = std::max(queue.start, virtual_time_);
    order_.emplace(queue.start, queue.index);
  }
  return Arrival::Waiting;
}

FlowQueue& QueueSet::ChooseQueue(std::uint64_t flow_hash) {
  DealHand(flow_hash, queuing_->queues, queuing_->hand_size, hand_);
  const auto load = [&](std::uint32_t index) {
    const auto found = queues_.find(index);
    if (found == queues_.end()) return std::pair(0U, 0U);
    return std::pair(found->second.waiting_seats, found->second.executing);
  };
  const std::uint32_t shortest = *std::ranges::min_element(hand_, {}, load);
  return queues_.try_emplace(shortest, shortest).first->second;
}

void QueueSet::MoveStart(FlowQueue& queue, double start) {
  if (queue.waiting > 0) {
    order_.erase({queue.start, queue.index});
    order_.emplace(start, queue.index);
  }
  queue.start = start;
}

void QueueSet::EraseIfIdle(FlowQueue& queue) {
  if (queue.waiting == 0 && queue.executing == 0) queues_.erase(queue.index);
}

void QueueSet::Finish(QueueTicket& ticket, Instant now, Tickets& dispatched) {
  PL_ASSERT(ticket.state == QueueTicket::State::Executing);
  ticket.state = QueueTicket::State::Idle;
  executing_tickets_.Remove(ticket);
  --executing_;
  executing_seats_ -= ticket.width;
  if (FlowQueue* queue = std::exchange(ticket.queue, nullptr)) {
    --queue->executing;
    queue->executing_seats -= ticket.width;
    const double seconds = std::chrono::duration<double>(now - ticket.started).count();
    const double charged = std::max(kServiceMinSeconds, seconds);
    MoveStart(*queue, queue->start + SeatSeconds(ticket, charged - kServiceGuessSeconds));
    EraseIfIdle(*queue);
  }
  Dispatch(now, dispatched);
}

void QueueSet::Abandon(QueueTicket& ticket, Instant now, Tickets& dispatched) {
  PL_ASSERT(ticket.state == QueueTicket::State::Waiting);
  FlowQueue& queue = *std::exchange(ticket.queue, nullptr);
  ticket.state = QueueTicket::State::Idle;
  queue.Remove(ticket);
  --waiting_;
  waiting_seats_ -= ticket.width;
  if (queue.waiting == 0) order_.erase({queue.start, queue.index});
  EraseIfIdle(queue);
  Dispatch(now, dispatched);
}

void QueueSet::SetLimit(std::uint32_t limit, Instant now, Tickets& dispatched) {
  limit_ = limit;
  Dispatch(now, dispatched);
}

void QueueSet::Dispatch(Instant now, Tickets& dispatched) {
  while (!order_.empty()) {
    FlowQueue& queue = queues_.at(order_.begin()->second);
    QueueTicket& ticket = *queue.tickets.first;
    // Narrower requests of other queues must not overtake: a wide one would never get its seats.
    if (!Fits(ticket.width)) return;
    virtual_time_ = std::max(virtual_time_, queue.start);
    order_.erase(order_.begin());
    queue.Remove(ticket);
    --waiting_;
    waiting_seats_ -= ticket.width;
    ++queue.executing;
    queue.executing_seats += ticket.width;
    queue.start += SeatSeconds(ticket, kServiceGuessSeconds);
    if (queue.waiting > 0) order_.emplace(queue.start, queue.index);
    Execute(ticket, now);
    dispatched.push_back(&ticket);
  }
}

void QueueSet::ListWaiting(Tickets& waiting) const {
  for (const auto& [index, queue] : queues_) {
    for (QueueTicket* ticket = queue.tickets.first; ticket != nullptr; ticket = ticket->next) {
      waiting.push_back(ticket);
    }
  }
}

}  // namespace plimsoll::apiserver
