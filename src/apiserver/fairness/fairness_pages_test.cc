#include "apiserver/fairness/fairness_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/limits.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kPages = "/debug/api_priority_and_fairness/";

class FairnessPagesTest : public testing::Test {
 protected:
  FairnessPagesTest() {
    LevelConfig level;
    level.name = "mine";
    level.nominal_shares = 1;
    level.queuing = QueueConfig{8, 1, 20'000};
    LevelConfig rest;
    rest.name = "catch-all";
    FlowConfig flow = MandatoryFlows()[1];
    flow.name = "mine";
    flow.level = "mine";
    flow.precedence = 5;
    flow.distinguisher = Distinguisher::ByUser;
    fairness_.Configure({level, rest}, {flow});
    clock_.Advance(std::chrono::milliseconds(1'500));
  }

  void Take(const std::string& user, std::string path = "/apis/apps/v1/namespaces/shop/pods/web",
            std::string group = "system:authenticated") {
    ParsedRequest parsed;
    parsed.info.is_resource_request = true;
    parsed.info.verb = "get";
    parsed.info.path = std::move(path);
    parsed.info.group = "apps";
    parsed.info.version = "v1";
    parsed.info.namespace_ = "shop";
    parsed.info.resource = "pods";
    parsed.info.name = "web";
    const auto request = std::make_shared<ApiRequest>(net::Request{}, std::move(parsed));
    request->user = {.name = user, .uid = {}, .groups = {std::move(group)}, .extra = {}};
    seats_.push_back(fairness_.NewSeat(request));
    seats_.back()->Acquire(std::chrono::seconds(15), [](Seat::Outcome) {});
  }

  std::string Get(const std::string& page) {
    const net::Target target = *net::ParseTarget(kPages + page);
    EXPECT_TRUE(IsFairnessPage(target.path));
    const net::Response response = ServeFairnessPage(fairness_, "GET", target);
    EXPECT_EQ(response.status, 200);
    return *response.body;
  }

  VirtualClock clock_;
  MetricsRegistry registry_;
  Fairness fairness_{{.reading_max = 1, .mutating_max = 1}, clock_, registry_, [](const Resource&) {
                       return std::size_t{0};
                     }};
  std::vector<std::shared_ptr<Seat>> seats_;
};

TEST_F(FairnessPagesTest, OwnsItsThreePagesOnly) {
  EXPECT_FALSE(IsFairnessPage(kPages));
  EXPECT_FALSE(IsFairnessPage(kPages + "dump_requests/"));
  EXPECT_FALSE(IsFairnessPage("/debug/api_priority_and_fairness"));
  const net::Target target = *net::ParseTarget(kPages + "dump_queues");
  EXPECT_EQ(ServeFairnessPage(fairness_, "POST", target).status, 405);
}

TEST_F(FairnessPagesTest, DumpsLevelsAsUpstreamAlignsThem) {
  for (int i = 0; i < 4; ++i) Take("jane");
  seats_[0]->Release();
  Take("root", "/", "system:masters");
  clock_.Advance(std::chrono::seconds(15));
  EXPECT_EQ(
      Get("dump_priority_levels"),
      "PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, "
      "DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests\n"
      "catch-all,         0,            true,   false,       0,               0,                 "
      "0,                  0,                0,                0\n"
      "exempt,            0,            false,  false,       0,               1,                 "
      "1,                  0,                0,                0\n"
      "mine,              0,            false,  false,       0,               2,                 "
      "3,                  0,                1,                0\n");
}

TEST_F(FairnessPagesTest, DumpsQueuesWithRequests) {
  for (int i = 0; i < 5; ++i) Take("jane");
  seats_[0]->Release();
  const std::string text = Get("dump_queues");
  EXPECT_THAT(text, StartsWith("PriorityLevelName, Index,  PendingRequests, ExecutingRequests, "
                               "SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, "
                               "TotalWorkSum\nmine,"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  EXPECT_THAT(text, HasSubstr("2,               1,                 1,          0.00300000ss,  2,  "
                              "             2,           0.00600000ss\n"));
}

TEST_F(FairnessPagesTest, DumpsRequestsWithAndWithoutDetails) {
  for (int i = 0; i < 3; ++i) Take("jane");
  const std::string text = Get("dump_requests");
  EXPECT_THAT(text,
              StartsWith("PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, "
                         "FlowDistingsher, ArriveTime,             InitialSeats, FinalSeats, "
                         "AdditionalLatency, StartTime\n"));
  EXPECT_THAT(text, HasSubstr("0,                   jane,            1970-01-01T00:00:01.5Z, 1,    "
                              "        0,          0s,                0001-01-01T00:00:00Z\n"));
  EXPECT_THAT(text, HasSubstr("mine,              mine,           -1,         -1,                  "
                              "jane,            1970-01-01T00:00:01.5Z, 1,            0,          "
                              "0s,                1970-01-01T00:00:01.5Z\n"));
  EXPECT_THAT(Get("dump_requests?includeRequestDetails=1"),
              HasSubstr("1970-01-01T00:00:01.5Z, jane,     get,    "
                        "/apis/apps/v1/namespaces/shop/pods/web, shop,      web,    apps/v1,    "
                        "pods,     \n"));
}

TEST_F(FairnessPagesTest, AHostileNameNeitherBreaksNorWidensTheTable) {
  Take("eve\nexempt,\texempt", "/" + std::string(40'000, 'x'));
  const std::string text = Get("dump_requests?includeRequestDetails=1");
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  EXPECT_THAT(text, HasSubstr("eve?exempt,?exempt,"));
  EXPECT_LT(text.size(), 3000U);
}

TEST_F(FairnessPagesTest, APageIsBounded) {
  for (std::size_t i = 0; i < kDumpRowsMax + 7; ++i) Take("jane");
  const std::string text = Get("dump_requests");
  EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(kDumpRowsMax) + 2);
  EXPECT_TRUE(text.ends_with("... 7 more requests\n"));
  RowList<QueueRow> none = fairness_.ListQueues(0);
  EXPECT_TRUE(none.rows.empty());
  EXPECT_EQ(none.left_out, 1U);
}

}  // namespace
}  // namespace plimsoll::apiserver
