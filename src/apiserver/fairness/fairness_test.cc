#include "apiserver/fairness/fairness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/bootstrap/flow_control.h"
#include "base/virtual_clock.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;
using Outcome = Seat::Outcome;

class FairnessTest : public testing::Test {
 protected:
  Fairness& Make(FairnessOptions options = {}) {
    return fairness_.emplace(options, clock_, registry_, [](const Resource&) { return 250; });
  }

  Fairness& MakeWithDefaults(FairnessOptions options = {}) {
    Fairness& fairness = Make(options);
    std::vector<LevelConfig> levels;
    std::vector<FlowConfig> flows;
    for (const auto& objects : {MandatoryFlowControl(), SuggestedFlowControl()}) {
      for (const DefaultObject& object : objects) {
        const auto document = *codec::ParseJson(object.json);
        if (object.resource == "flowschemas") {
          flows.push_back(ReadFlowConfig(document->root()));
        } else {
          levels.push_back(ReadLevelConfig(document->root()));
        }
      }
    }
    fairness.Configure(std::move(levels), std::move(flows));
    return fairness;
  }

  static std::shared_ptr<ApiRequest> Request(std::string user, std::string verb = "get",
                                             std::string group = "system:authenticated") {
    ParsedRequest parsed;
    parsed.info.is_resource_request = true;
    parsed.info.verb = std::move(verb);
    parsed.info.resource = "pods";
    parsed.info.namespace_ = "shop";
    auto request = std::make_shared<ApiRequest>(net::Request{}, std::move(parsed));
    request->user = {.name = std::move(user), .uid = {}, .groups = {std::move(group)}, .extra = {}};
    return request;
  }

  std::string SchemaOf(const std::shared_ptr<ApiRequest>& request) {
    return fairness_->NewSeat(request)->flow().config.name;
  }

  Outcome Take(const std::shared_ptr<Seat>& seat) {
    return seat->Acquire(seconds(15), [this](Outcome later) { later_.push_back(later); });
  }

  VirtualClock clock_;
  MetricsRegistry registry_;
  std::optional<Fairness> fairness_;
  std::vector<Outcome> later_;
};

TEST_F(FairnessTest, KnowsTheMandatoryObjectsFromTheStart) {
  Make();
  EXPECT_EQ(SchemaOf(Request("root", "get", "system:masters")), "exempt");
  EXPECT_EQ(SchemaOf(Request("jane")), "catch-all");
  EXPECT_EQ(SchemaOf(Request("jane", "get", "no-group-of-ours")), "catch-all");
}

TEST_F(FairnessTest, TheLowestPrecedenceWinsAndDanglingSchemasMatchNothing) {
  Make();
  FlowConfig flow = MandatoryFlows()[1];
  flow.level = "catch-all";
  FlowConfig low = flow;
  low.name = "low";
  low.precedence = 20;
  FlowConfig high = flow;
  high.name = "high";
  high.precedence = 10;
  FlowConfig dangling = flow;
  dangling.name = "dangling";
  dangling.level = "nowhere";
  dangling.precedence = 5;
  fairness_->Configure({}, {low, dangling, high});
  EXPECT_EQ(SchemaOf(Request("jane")), "high");
}

TEST_F(FairnessTest, AFloodOfOneUserLeavesSeatsToAnother) {
  MakeWithDefaults({.reading_max = 40, .mutating_max = 20});
  std::vector<std::shared_ptr<Seat>> flood;
  int waiting = 0;
  for (int i = 0; i < 400; ++i) {
    const auto seat = fairness_->NewSeat(Request("mallory"));
    if (Take(seat) == Outcome::Waiting) ++waiting;
    flood.push_back(seat);
  }
  EXPECT_GT(waiting, 100);
  const auto seat = fairness_->NewSeat(Request("jane"));
  std::optional<Outcome> jane;
  ASSERT_EQ(seat->Acquire(seconds(15), [&](Outcome later) { jane = later; }), Outcome::Waiting);
  // The six queues of the flood and the queue of jane take turns.
  for (std::size_t i = 0; i < 12 && !jane; ++i) flood[i]->Release();
  EXPECT_EQ(jane, Outcome::Seated);
}

TEST_F(FairnessTest, AFloodAtOneLevelLeavesOtherLevelsAlone) {
  MakeWithDefaults();
  std::vector<std::shared_ptr<Seat>> flood;
  for (int i = 0; i < 1000; ++i) {
    flood.push_back(fairness_->NewSeat(Request("mallory")));
    Take(flood.back());
  }
  EXPECT_EQ(Take(fairness_->NewSeat(Request("system:node:n1", "get", "system:nodes"))),
            Outcome::Seated);
  EXPECT_EQ(Take(fairness_->NewSeat(Request("root", "get", "system:masters"))), Outcome::Seated);
}

TEST_F(FairnessTest, ComponentsInTheProcessAreExempt) {
  Make({.reading_max = 1, .mutating_max = 1});
  const auto request = Request("system:kube-scheduler");
  request->http.local = net::LocalIdentity{"system:kube-scheduler", {}};
  std::vector<std::shared_ptr<Seat>> seats;
  for (int i = 0; i < 10; ++i) {
    seats.push_back(fairness_->NewSeat(request));
    EXPECT_EQ(Take(seats.back()), Outcome::Seated);
  }
}

TEST_F(FairnessTest, WithoutFairnessTheTwoLimitsCount) {
  Make({.reading_max = 2, .mutating_max = 1, .is_enabled = false});
  std::vector<std::shared_ptr<Seat>> seats;
  const auto take = [&](const std::shared_ptr<ApiRequest>& request) {
    seats.push_back(fairness_->NewSeat(request));
    return Take(seats.back());
  };
  EXPECT_EQ(take(Request("jane")), Outcome::Seated);
  EXPECT_EQ(take(Request("joe", "list")), Outcome::Seated);
  EXPECT_EQ(take(Request("jane")), Outcome::Refused);
  EXPECT_EQ(take(Request("jane", "create")), Outcome::Seated) << "writes are counted apart";
  EXPECT_EQ(take(Request("jane", "create")), Outcome::Refused);
  EXPECT_EQ(take(Request("root", "create", "system:masters")), Outcome::Seated);
  EXPECT_EQ(take(Request("jane", "watch")), Outcome::Seated);
}

TEST_F(FairnessTest, SamplesReadsAndWritesOnceASecond) {
  MakeWithDefaults({.reading_max = 6, .mutating_max = 4});
  const auto read = fairness_->NewSeat(Request("root", "get", "system:masters"));
  const auto write = fairness_->NewSeat(Request("root", "create", "system:masters"));
  const auto other = fairness_->NewSeat(Request("root", "patch", "system:masters"));
  for (const auto& seat : {read, write, other}) EXPECT_EQ(Take(seat), Outcome::Seated);
  clock_.Advance(seconds(1));
  const std::string sum = "apiserver_flowcontrol_read_vs_write_current_requests_sum";
  EXPECT_TRUE(
      registry_.Text().contains(sum + R"({phase="executing",request_kind="readOnly"} 0.1)"));
  EXPECT_TRUE(
      registry_.Text().contains(sum + R"({phase="executing",request_kind="mutating"} 0.2)"));
  for (const auto& seat : {read, write, other}) seat->Release();
  clock_.Advance(seconds(1));
  EXPECT_TRUE(
      registry_.Text().contains(sum + R"({phase="executing",request_kind="mutating"} 0.2)"));
}

TEST_F(FairnessTest, SamplesTheTwoLimitsWithoutFairness) {
  Make({.reading_max = 2, .mutating_max = 4, .is_enabled = false});
  const auto read = fairness_->NewSeat(Request("jane"));
  const auto write = fairness_->NewSeat(Request("jane", "create"));
  Take(read);
  Take(write);
  clock_.Advance(seconds(10));
  const std::string sum = "apiserver_flowcontrol_read_vs_write_current_requests_sum";
  EXPECT_TRUE(registry_.Text().contains(sum + R"({phase="executing",request_kind="readOnly"} 5)"));
  EXPECT_TRUE(
      registry_.Text().contains(sum + R"({phase="executing",request_kind="mutating"} 2.5)"));
  EXPECT_EQ(Take(fairness_->NewSeat(Request("joe"))), Outcome::Seated) << "one place is left";
  const auto third = fairness_->NewSeat(Request("joe"));
  Take(third);
  EXPECT_EQ(Take(fairness_->NewSeat(Request("joe"))), Outcome::Refused) << "the limits stay";
}

TEST_F(FairnessTest, AWriteObservesTheWatchesThatItMayWake) {
  Make();
  RequestInfo watch = Request("joe", "watch")->info;
  const auto first = fairness_->RegisterWatch(watch);
  watch.namespace_.clear();
  const auto second = fairness_->RegisterWatch(watch);
  for (const std::string verb : {"create", "get", "list", "watch", "deletecollection"}) {
    fairness_->NewSeat(Request("jane", verb));
  }
  const std::string series =
      R"(apiserver_flowcontrol_watch_count_samples_SUM{flow_schema="catch-all",)"
      R"(priority_level="catch-all"} )";
  const std::string text = registry_.Text();
  const auto shows = [&](std::string_view part, std::string_view value) {
    std::string want = series;
    want.replace(want.find("SUM"), 3, part);
    return text.contains(want + std::string(value) + "\n");
  };
  EXPECT_TRUE(shows("sum", "2"));
  EXPECT_TRUE(shows("count", "1"));
}

TEST_F(FairnessTest, AnIdleServerLendsSeats) {
  MakeWithDefaults();
  const auto limit = [&](std::string_view level) {
    const std::string text = registry_.Text();
    const std::string key =
        "apiserver_flowcontrol_current_limit_seats{priority_level=\"" + std::string(level) + "\"} ";
    const std::size_t at = text.find(key);
    return at == std::string::npos ? -1 : std::stoi(text.substr(at + key.size()));
  };
  EXPECT_EQ(limit("global-default"), 49);
  std::vector<std::shared_ptr<Seat>> flood;
  for (int i = 0; i < 1000; ++i) {
    flood.push_back(fairness_->NewSeat(Request("mallory")));
    Take(flood.back());
  }
  clock_.Advance(seconds(10));
  EXPECT_GT(limit("global-default"), 200) << "it borrows from the idle levels";
  EXPECT_GE(limit("node-high"), 73) << "they keep what they do not lend";
  EXPECT_GT(later_.size(), 150U) << "and waiting requests get the borrowed seats";
}

TEST_F(FairnessTest, RequestsAtADeletedLevelEnd) {
  Make({.reading_max = 1, .mutating_max = 1});
  LevelConfig level;
  level.name = "mine";
  level.nominal_shares = 1;
  level.queuing = QueueConfig{1, 1, 10};
  FlowConfig flow = MandatoryFlows()[1];
  flow.name = "mine";
  flow.level = "mine";
  flow.precedence = 5;
  fairness_->Configure({level}, {flow});
  const auto first = fairness_->NewSeat(Request("jane"));
  EXPECT_EQ(Take(first), Outcome::Seated);
  EXPECT_EQ(Take(fairness_->NewSeat(Request("jane"))), Outcome::Waiting);
  fairness_->Configure({}, {});
  EXPECT_THAT(later_, testing::ElementsAre(Outcome::Refused));
  EXPECT_EQ(SchemaOf(Request("jane")), "catch-all");
  first->Release();
}

TEST_F(FairnessTest, CloseRefusesWhoWaits) {
  MakeWithDefaults({.reading_max = 10, .mutating_max = 10});
  std::vector<std::shared_ptr<Seat>> seats;
  for (int i = 0; i < 50; ++i) {
    seats.push_back(fairness_->NewSeat(Request("jane")));
    Take(seats.back());
  }
  fairness_->Close();
  EXPECT_FALSE(later_.empty());
  EXPECT_THAT(later_, testing::Each(Outcome::Refused));
}

}  // namespace
}  // namespace plimsoll::apiserver
