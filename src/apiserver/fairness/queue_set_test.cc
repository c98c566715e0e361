#include "apiserver/fairness/queue_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>

namespace plimsoll::apiserver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Arrival = QueueSet::Arrival;
using State = QueueTicket::State;

constexpr Instant kQueueStart{};
constexpr QueueConfig kQueues{.queues = 64, .hand_size = 6, .length_limit = 50};

QueueTicket TicketOf(std::uint64_t flow, std::uint32_t width = 1) {
  QueueTicket ticket;
  ticket.flow_hash = flow;
  ticket.width = width;
  return ticket;
}

TEST(QueueSetTest, RequestsTakeFreeSeatsWithoutAQueue) {
  QueueSet set(kQueues, 2);
  QueueTicket a = TicketOf(1);
  QueueTicket b = TicketOf(1);
  EXPECT_EQ(set.Arrive(a, kQueueStart), Arrival::Executing);
  EXPECT_EQ(set.Arrive(b, kQueueStart), Arrival::Executing);
  EXPECT_EQ(a.queue, nullptr);
  EXPECT_EQ(set.executing_seats(), 2U);
}

TEST(QueueSetTest, WithoutQueuesTheLevelRejectsBeyondItsSeats) {
  QueueSet set(std::nullopt, 1);
  QueueTicket a = TicketOf(1);
  QueueTicket b = TicketOf(2);
  EXPECT_EQ(set.Arrive(a, kQueueStart), Arrival::Executing);
  EXPECT_EQ(set.Arrive(b, kQueueStart), Arrival::ConcurrencyLimit);
  EXPECT_EQ(b.state, State::Idle);
}

TEST(QueueSetTest, AFullQueueRejects) {
  QueueSet set(QueueConfig{.queues = 1, .hand_size = 1, .length_limit = 2}, 1);
  std::deque<QueueTicket> tickets(4);
  EXPECT_EQ(set.Arrive(tickets[0], kQueueStart), Arrival::Executing);
  EXPECT_EQ(set.Arrive(tickets[1], kQueueStart), Arrival::Waiting);
  EXPECT_EQ(set.Arrive(tickets[2], kQueueStart), Arrival::Waiting);
  EXPECT_EQ(set.Arrive(tickets[3], kQueueStart), Arrival::QueueFull);
  EXPECT_EQ(set.waiting(), 2U);
}

TEST(QueueSetTest, ALevelWithoutSeatsDispatchesNothing) {
  QueueSet set(kQueues, 0);
  QueueTicket a = TicketOf(1);
  QueueSet::Tickets dispatched;
  EXPECT_EQ(set.Arrive(a, kQueueStart), Arrival::Waiting);
  set.SetLimit(0, kQueueStart, dispatched);
  EXPECT_TRUE(dispatched.empty());
  set.SetLimit(1, kQueueStart, dispatched);
  EXPECT_THAT(dispatched, testing::ElementsAre(&a));
}

TEST(QueueSetTest, OneFlowIsServedInOrderOfArrival) {
  QueueSet set(QueueConfig{.queues = 1, .hand_size = 1, .length_limit = 9}, 1);
  std::deque<QueueTicket> tickets(4);
  for (QueueTicket& ticket : tickets) set.Arrive(ticket, kQueueStart);
  QueueSet::Tickets dispatched;
  for (int i = 0; i < 3; ++i) {
    set.Finish(tickets[static_cast<std::size_t>(i)], kQueueStart + seconds(i + 1), dispatched);
  }
  EXPECT_THAT(dispatched, testing::ElementsAre(&tickets[1], &tickets[2], &tickets[3]));
}

TEST(QueueSetTest, AWideRequestRunsAloneAndIsNotOvertaken) {
  QueueSet set(kQueues, 4);
  QueueTicket narrow = TicketOf(1, 2);
  QueueTicket wide = TicketOf(2, 10);
  QueueTicket late = TicketOf(3, 1);
  EXPECT_EQ(set.Arrive(narrow, kQueueStart), Arrival::Executing);
  EXPECT_EQ(set.Arrive(wide, kQueueStart), Arrival::Waiting);
  EXPECT_EQ(set.Arrive(late, kQueueStart), Arrival::Waiting)
      << "two seats are free, but others wait";
  QueueSet::Tickets dispatched;
  set.Finish(narrow, kQueueStart, dispatched);
  EXPECT_EQ(dispatched.size(), 1U);
  QueueTicket& first = *dispatched.front();
  EXPECT_EQ(set.waiting(), 1U);
  set.Finish(first, kQueueStart, dispatched);
  EXPECT_EQ(dispatched.size(), 2U);
}

TEST(QueueSetTest, AbandonedRequestsLeaveTheirQueue) {
  QueueSet set(kQueues, 1);
  std::deque<QueueTicket> tickets(3);
  for (QueueTicket& ticket : tickets) set.Arrive(ticket, kQueueStart);
  QueueSet::Tickets dispatched;
  set.Abandon(tickets[1], kQueueStart, dispatched);
  EXPECT_EQ(tickets[1].state, State::Idle);
  set.Finish(tickets[0], kQueueStart, dispatched);
  EXPECT_THAT(dispatched, testing::ElementsAre(&tickets[2]));
}

/// Keeps `busy` requests of each flow in the set for a while; returns the seat-seconds of each
/// flow. Each request of flow i takes `cost[i]`.
std::vector<double> Contend(QueueSet& set, const std::vector<int>& busy,
                            const std::vector<milliseconds>& cost) {
  struct Load {
    QueueTicket ticket;
    std::size_t flow;
  };
  std::deque<Load> loads;
  std::multimap<Instant, Load*> ends;
  std::vector<double> service(busy.size());
  Instant now = kQueueStart;
  const auto start = [&](Load& load) { ends.emplace(now + cost[load.flow], &load); };
  const auto arrive = [&](Load& load) {
    if (set.Arrive(load.ticket, now) == Arrival::Executing) start(load);
  };
  for (std::size_t flow = 0; flow < busy.size(); ++flow) {
    for (int i = 0; i < busy[flow]; ++i) {
      loads.push_back({TicketOf(flow * 0x9e3779b97f4a7c15ULL + 7), flow});
    }
  }
  for (Load& load : loads) arrive(load);
  while (now < kQueueStart + seconds(60)) {
    now = ends.begin()->first;
    Load& load = *ends.begin()->second;
    ends.erase(ends.begin());
    service[load.flow] += std::chrono::duration<double>(cost[load.flow]).count();
    QueueSet::Tickets dispatched;
    set.Finish(load.ticket, now, dispatched);
    for (QueueTicket* ticket : dispatched) {
      start(*std::ranges::find_if(loads, [&](Load& l) { return &l.ticket == ticket; }));
    }
    arrive(load);
  }
  return service;
}

struct ContentionCase {
  std::string name;
  std::vector<int> busy;
  std::vector<milliseconds> cost;
  std::vector<double> least;  // minimum share of the seat-seconds of each flow
};

class QueueSetContentionTest : public testing::TestWithParam<ContentionCase> {};

TEST_P(QueueSetContentionTest, FlowsGetFairShares) {
  QueueSet set(kQueues, 4);
  const std::vector<double> service = Contend(set, GetParam().busy, GetParam().cost);
  double total = 0;
  for (const double part : service) total += part;
  EXPECT_GT(total, 0.95 * 4 * 60) << "no seat stands empty while requests wait";
  for (std::size_t i = 0; i < service.size(); ++i) {
    EXPECT_GE(service[i] / total, GetParam().least[i]) << "flow " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, QueueSetContentionTest,
    testing::ValuesIn<ContentionCase>({
        {"EqualFlows", {20, 20}, {milliseconds(10), milliseconds(10)}, {0.45, 0.45}},
        // The flood uses six queues, so the other flow gets at least one share of seven.
        {"AFloodLeavesTheOtherItsShare",
         {200, 8},
         {milliseconds(10), milliseconds(10)},
         {0.4, 0.125}},
        {"SlowRequestsAreChargedForTheirTime",
         {20, 20},
         {milliseconds(500), milliseconds(5)},
         {0.4, 0.25}},
        {"OneRequestAtATimeIsServedAtOnce",
         {300, 1},
         {milliseconds(20), milliseconds(5)},
         {0.5, 0.02}},
    }),
    [](const auto& each) { return each.param.name; });

RC_GTEST_PROP(QueueSetTest, SeatsAndQueuesAddUp, (std::vector<std::pair<int, int>> steps)) {
  QueueSet set(QueueConfig{.queues = 8, .hand_size = 2, .length_limit = 3}, 5);
  std::deque<QueueTicket> tickets;
  QueueSet::Tickets dispatched;
  Instant now = kQueueStart;
  for (const auto& [what, which] : steps) {
    now += milliseconds(1);
    const auto pick = [&](State state) -> QueueTicket* {
      std::vector<QueueTicket*> found;
      for (QueueTicket& ticket : tickets) {
        if (ticket.state == state) found.push_back(&ticket);
      }
      if (found.empty()) return nullptr;
      return found[static_cast<unsigned>(which) % found.size()];
    };
    switch (static_cast<unsigned>(what) % 5) {
      case 0:
      case 1:
        tickets.push_back(
            TicketOf(static_cast<std::uint64_t>(which), static_cast<unsigned>(which) % 7 + 1));
        set.Arrive(tickets.back(), now);
        break;
      case 2:
        if (QueueTicket* ticket = pick(State::Executing)) set.Finish(*ticket, now, dispatched);
        break;
      case 3:
        if (QueueTicket* ticket = pick(State::Waiting)) set.Abandon(*ticket, now, dispatched);
        break;
      default:
        set.SetLimit(static_cast<unsigned>(which) % 10, now, dispatched);
    }
    std::uint32_t executing = 0;
    std::uint32_t waiting = 0;
    for (const QueueTicket& ticket : tickets) {
      if (ticket.state == State::Executing) executing += ticket.width;
      if (ticket.state == State::Waiting) waiting += ticket.width;
    }
    RC_ASSERT(set.executing_seats() == executing);
    RC_ASSERT(set.waiting_seats() == waiting);
    // Something executes if anything waits and there are seats.
    RC_ASSERT(waiting == 0 || set.limit() == 0 || executing > 0);
  }
  QueueSet::Tickets listed;
  set.ListWaiting(listed);
  RC_ASSERT(listed.size() == set.waiting());
}

}  // namespace
}  // namespace plimsoll::apiserver
