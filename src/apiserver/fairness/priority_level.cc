#include "apiserver/fairness/priority_level.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "apiserver/fairness/fairness.h"

namespace plimsoll::apiserver {
namespace {

// Weight of the previous value in the smoothed demand, as upstream.
constexpr double kSmoothing = 0.977;
constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

double Seconds(Duration duration) {
  return std::max(0.0, std::chrono::duration<double>(duration).count());
}

}  // namespace

PriorityLevel::PriorityLevel(bool is_exempt, Clock& clock, const LevelMetrics& metrics)
    : is_exempt_(is_exempt),
      clock_(clock),
      metrics_(metrics),
      queues_(std::nullopt, LimitOf(0)),
      demand_(clock.Now()) {}

std::uint32_t PriorityLevel::LimitOf(std::uint32_t seats) const {
  return is_exempt_ ? kUnlimited : seats;
}

void PriorityLevel::Configure(const LevelConfig& config, const SeatBounds& bounds) {
  widest_.store(is_exempt_ ? WidestRequest(kUnlimited) : WidestRequest(bounds.nominal),
                std::memory_order_relaxed);
  metrics_.nominal_limit.Set(bounds.nominal);
  metrics_.lower_limit.Set(bounds.lower);
  metrics_.upper_limit.Set(bounds.upper);
  bool is_changed = false;
  {
    const std::lock_guard lock(mutex_);
    is_changed = bounds_ != bounds;
    bounds_ = bounds;
    queuing_ = config.queuing;
    queues_.SetQueuing(config.queuing);
  }
  if (is_changed) SetLimit(bounds.nominal);
}

void PriorityLevel::NoteDemand(Instant now) {
  demand_.Set(queues_.executing_seats() + queues_.waiting_seats(), now);
}

SeatClaim PriorityLevel::Claim() {
  const Instant now = clock_.Now();
  DemandStats stats;
  SeatClaim claim;
  {
    const std::lock_guard lock(mutex_);
    stats = demand_.EndPeriod(now);
    const double envelope = stats.average + stats.deviation;
    smoothed_demand_ =
        std::max(envelope, kSmoothing * smoothed_demand_ + (1 - kSmoothing) * envelope);
    claim = {.is_exempt = is_exempt_,
             .bounds = bounds_,
             .high_watermark = stats.high_watermark,
             .target = smoothed_demand_};
    metrics_.current_r.Set(queues_.virtual_time());
  }
  metrics_.demand_high_watermark.Set(stats.high_watermark);
  metrics_.demand_average.Set(stats.average);
  metrics_.demand_deviation.Set(stats.deviation);
  metrics_.demand_smoothed.Set(claim.target);
  metrics_.target.Set(std::max<double>(
      claim.target, std::max<double>(claim.bounds.lower, std::min<double>(claim.bounds.nominal,
                                                                          claim.high_watermark))));
  return claim;
}

void PriorityLevel::SetLimit(std::uint32_t limit) {
  Seats woken;
  {
    const std::lock_guard lock(mutex_);
    QueueSet::Tickets dispatched;
    queues_.SetLimit(LimitOf(limit), clock_.Now(), dispatched);
    MoveOwners(dispatched, woken);
  }
  metrics_.current_limit.Set(limit);
  Seat::Wake(woken);
}

void PriorityLevel::Sample() {
  std::uint32_t executing = 0;
  std::uint32_t executing_seats = 0;
  std::uint32_t waiting = 0;
  std::uint32_t waiting_seats = 0;
  double limit = 0;
  double nominal = 0;
  {
    const std::lock_guard lock(mutex_);
    executing = queues_.executing();
    executing_seats = queues_.executing_seats();
    waiting = queues_.waiting();
    waiting_seats = queues_.waiting_seats();
    limit = queues_.limit();
    nominal = bounds_.nominal;
  }
  const double places = queue_places();
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0.0; };
  metrics_.seat_utilization.Observe(share(executing_seats, limit));
  metrics_.executing_utilization.Observe(share(executing, limit));
  metrics_.waiting_utilization.Observe(share(waiting, places));
  metrics_.demand.Observe(share(static_cast<double>(executing_seats) + waiting_seats, nominal));
}

double PriorityLevel::queue_places() const {
  const std::lock_guard lock(mutex_);
  return queuing_ ? static_cast<double>(queuing_->queues) * queuing_->length_limit : 0.0;
}

LevelRow PriorityLevel::Summarize() const {
  const std::lock_guard lock(mutex_);
  return {.level = {},
          .active_queues = queues_.active_queues(),
          .waiting = queues_.waiting(),
          .executing = queues_.executing(),
          .dispatched = queues_.dispatched(),
          .rejected = queues_.rejected() + refused_,
          .timed_out = timed_out_};
}

void PriorityLevel::ListQueues(RowList<QueueRow>& list) const {
  const std::lock_guard lock(mutex_);
  std::size_t added = 0;
  for (const auto& [index, queue] : queues_.queues()) {
    if (list.IsFull()) break;
    list.rows.push_back({.level = {},
                         .index = index,
                         .waiting = queue.waiting,
                         .executing = queue.executing,
                         .executing_seats = queue.executing_seats,
                         .waiting_seats = queue.waiting_seats,
                         .start = queue.start});
    ++added;
  }
  list.left_out += queues_.queues().size() - added;
}

RequestRow PriorityLevel::RowOf(const QueueTicket& ticket) {
  const auto& seat = static_cast<const Seat&>(ticket);
  RequestRow row{.flow = seat.flow_,
                 .request = seat.request_,
                 .arrived = ticket.arrived,
                 .seats = ticket.width};
  if (ticket.queue != nullptr) row.queue = ticket.queue->index;
  if (ticket.state == QueueTicket::State::Executing) row.started = ticket.started;
  return row;
}

void PriorityLevel::ListRequests(RowList<RequestRow>& list) const {
  const std::lock_guard lock(mutex_);
  const std::size_t before = list.rows.size();
  for (const auto& [index, queue] : queues_.queues()) {
    std::size_t place = 0;
    for (const QueueTicket* ticket = queue.tickets.first; ticket != nullptr && !list.IsFull();
         ticket = ticket->next) {
      list.rows.push_back(RowOf(*ticket));
      list.rows.back().place = place++;
    }
    if (list.IsFull()) break;
  }
  for (const QueueTicket* ticket = queues_.executing_tickets().first;
       ticket != nullptr && !list.IsFull(); ticket = ticket->next) {
    list.rows.push_back(RowOf(*ticket));
  }
  list.left_out += queues_.waiting() + queues_.executing() - (list.rows.size() - before);
}

void PriorityLevel::Close() {
  Seats refused;
  std::vector<Seat::Then> thens;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    QueueSet::Tickets waiting;
    queues_.ListWaiting(waiting);
    // A limit of 0 prevents that other requests are dispatched instead.
    QueueSet::Tickets dispatched;
    refused_ += waiting.size();
    const std::uint32_t limit = queues_.limit();
    const Instant now = clock_.Now();
    queues_.SetLimit(0, now, dispatched);
    for (QueueTicket* ticket : waiting) queues_.Abandon(*ticket, now, dispatched);
    queues_.SetLimit(limit, now, dispatched);
    MoveOwners(waiting, refused);
    for (const auto& seat : refused) thens.push_back(std::move(seat->then_));
  }
  for (std::size_t i = 0; i < refused.size(); ++i) {
    refused[i]->CountWaiting(-1);
    thens[i](Seat::Outcome::Refused);
  }
}

void PriorityLevel::MoveOwners(const QueueSet::Tickets& tickets, Seats& owners) {
  for (QueueTicket* ticket : tickets) {
    owners.push_back(std::move(static_cast<Seat*>(ticket)->self_));
  }
}

Seat::Seat(std::shared_ptr<const Flow> flow, std::shared_ptr<const ApiRequest> request,
           std::uint32_t seats, std::uint64_t hash)
    : flow_(std::move(flow)), request_(std::move(request)) {
  width = seats;
  flow_hash = hash;
}

void Seat::CountWaiting(int by) {
  FlowMetrics& metrics = flow_->metrics;
  metrics.waiting_requests.Add(by);
  metrics.waiting_seats.Add(static_cast<double>(width) * by);
  metrics.counts->Of(IsMutating(request_->info)).waiting.fetch_add(by, std::memory_order_relaxed);
}

void Seat::CountExecuting(int by) {
  FlowMetrics& metrics = flow_->metrics;
  metrics.executing_requests.Add(by);
  metrics.executing_seats.Add(static_cast<double>(width) * by);
  metrics.counts->Of(IsMutating(request_->info)).executing.fetch_add(by, std::memory_order_relaxed);
}

Seat::Outcome Seat::Acquire(Duration patience, Then then) {
  PriorityLevel& level = *flow_->level;
  FlowMetrics& metrics = flow_->metrics;
  const Instant now = level.clock_.Now();
  QueueSet::Arrival arrival{};
  std::uint32_t queued = 0;
  {
    const std::lock_guard lock(level.mutex_);
    arrival = level.queues_.Arrive(*this, now);
    if (arrival == QueueSet::Arrival::Waiting && level.is_closed_) {
      QueueSet::Tickets dispatched;
      level.queues_.Abandon(*this, now, dispatched);
      ++level.refused_;
      arrival = QueueSet::Arrival::ConcurrencyLimit;
    }
    if (arrival == QueueSet::Arrival::Waiting) {
      deadline_ = now + patience;
      then_ = std::move(then);
      self_ = shared_from_this();
      queued = level.queues_.waiting();
      CountWaiting(1);
    }
    level.NoteDemand(now);
  }
  if (arrival == QueueSet::Arrival::Executing) {
    is_held_.store(true, std::memory_order_relaxed);
    CountExecuting(1);
    metrics.dispatched.Add();
    metrics.wait_seconds.Observe(0);
    metrics.estimated_seats.Observe(width);
    return Outcome::Seated;
  }
  if (arrival != QueueSet::Arrival::Waiting) {
    NoteRefusal(arrival);
    return Outcome::Refused;
  }
  metrics.queue_length.Observe(queued);
  metrics.estimated_seats.Observe(width);
  const Instant deadline = now + patience;
  level.clock_.At(deadline, [weak = weak_from_this(), deadline] {
    if (const auto seat = weak.lock()) seat->GiveUp(deadline);
  });
  return Outcome::Waiting;
}

void Seat::NoteRefusal(QueueSet::Arrival arrival) {
  FlowMetrics& metrics = flow_->metrics;
  (arrival == QueueSet::Arrival::QueueFull ? metrics.queue_full : metrics.concurrency_limit).Add();
  metrics.refused_wait_seconds.Observe(0);
}

void Seat::GiveUp(Instant deadline) {
  PriorityLevel& level = *flow_->level;
  PriorityLevel::Seats woken;
  std::shared_ptr<Seat> self;
  Then then;
  Duration waited{};
  {
    const std::lock_guard lock(level.mutex_);
    // The seat may have been dispatched meanwhile, and may even wait again.
    if (state != State::Waiting || deadline_ != deadline) return;
    const Instant now = level.clock_.Now();
    QueueSet::Tickets dispatched;
    level.queues_.Abandon(*this, now, dispatched);
    ++level.timed_out_;
    level.NoteDemand(now);
    PriorityLevel::MoveOwners(dispatched, woken);
    waited = now - arrived;
    self = std::move(self_);
    then = std::move(then_);
  }
  CountWaiting(-1);
  FlowMetrics& metrics = flow_->metrics;
  metrics.timed_out.Add();
  metrics.refused_wait_seconds.Observe(Seconds(waited));
  Wake(woken);
  then(Outcome::Refused);
}

void Seat::Release() {
  if (!is_held_.exchange(false, std::memory_order_acq_rel)) return;
  PriorityLevel& level = *flow_->level;
  PriorityLevel::Seats woken;
  const Instant now = level.clock_.Now();
  Duration took{};
  {
    const std::lock_guard lock(level.mutex_);
    took = now - started;
    QueueSet::Tickets dispatched;
    level.queues_.Finish(*this, now, dispatched);
    level.NoteDemand(now);
    PriorityLevel::MoveOwners(dispatched, woken);
  }
  CountExecuting(-1);
  FlowMetrics& metrics = flow_->metrics;
  (request_->info.verb == "watch" ? metrics.watch_execution_seconds : metrics.execution_seconds)
      .Observe(Seconds(took));
  Wake(woken);
}

void Seat::Wake(const PriorityLevel::Seats& seats) {
  for (const std::shared_ptr<Seat>& seat : seats) {
    seat->CountWaiting(-1);
    seat->CountExecuting(1);
    FlowMetrics& metrics = seat->flow_->metrics;
    metrics.dispatched.Add();
    metrics.wait_seconds.Observe(Seconds(seat->started - seat->arrived));
    seat->is_held_.store(true, std::memory_order_release);
    Then then = std::move(seat->then_);
    then(Outcome::Seated);
  }
}

}  // namespace plimsoll::apiserver
