#include "controller/rival_evictors.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/decode/decode_json_for_test.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kSince = "2026-03-01T12:00:00Z";

ObjectPtr Event(const std::string& more) {
  return api::DecodeJson(
      R"({"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"default"},)"
      R"("involvedObject":{},"reason":"TaintManagerEviction","message":"Marking for deletion",)" +
      more + "}");
}

struct EventCase {
  std::string name;
  std::string event;
  bool is_rival = false;
};

class RivalEventTest : public testing::TestWithParam<EventCase> {};

TEST_P(RivalEventTest, IsOneOfOthersAndNew) {
  const std::vector<ObjectPtr> events = {Event(GetParam().event)};
  EXPECT_EQ(FindRivalEvent(events, *ParseTime(kSince)).has_value(), GetParam().is_rival);
}

INSTANTIATE_TEST_SUITE_P(
    All, RivalEventTest,
    testing::ValuesIn<EventCase>({
        {"AsUpstreamWritesIt",
         R"("source":{"component":"taint-eviction-controller"},"lastTimestamp":"2026-03-01T12:00:00Z")",
         true},
        {"Before",
         R"("source":{"component":"taint-eviction-controller"},"lastTimestamp":"2026-03-01T11:59:59Z")",
         false},
        {"Again",
         R"("lastTimestamp":"2026-03-01T11:00:00Z","series":{"lastObservedTime":"2026-03-01T12:00:00.000000Z"})",
         true},
        {"ByItsEventTime", R"("eventTime":"2026-03-01T12:00:01.000000Z")", true},
        {"Ours",
         R"("source":{"component":"taint-eviction-controller","host":"plimsoll_a"},"lastTimestamp":"2026-03-01T12:00:01Z")",
         false},
        {"OursByInstance",
         R"("reportingInstance":"plimsoll_a","lastTimestamp":"2026-03-01T12:00:01Z")", false},
        {"WithoutATime", R"("count":1)", false},
    }),
    [](const auto& test) { return test.param.name; });

TEST(RivalEventTextTest, NamesTheLatest) {
  const std::vector<ObjectPtr> events = {
      Event(R"("source":{"component":"early"},"lastTimestamp":"2026-03-01T12:00:01Z")"),
      Event(R"("source":{"component":"late"},"lastTimestamp":"2026-03-01T12:00:02Z")")};
  EXPECT_EQ(FindRivalEvent(events, *ParseTime(kSince)),
            "late wrote \"Marking for deletion\" at 2026-03-01T12:00:02Z");
}

struct ManagerCase {
  std::string name;
  std::string words;  // command and arguments of the container
  bool is_rival = false;
};

class RivalManagerTest : public testing::TestWithParam<ManagerCase> {};

TEST_P(RivalManagerTest, IsOneWithTheControllerOn) {
  const std::vector<ObjectPtr> pods = {api::DecodeJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"m","namespace":"kube-system"},)"
      R"("spec":{"containers":[{"name":"c",)" +
      GetParam().words + "}]}}")};
  const std::vector<std::string> names = {"taint-eviction-controller"};
  const std::optional<std::string> rival = FindRivalManager(pods, TracesOf(names));
  ASSERT_EQ(rival.has_value(), GetParam().is_rival);
  if (rival) {
    EXPECT_EQ(*rival, "Pod kube-system/m runs taint-eviction-controller");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RivalManagerTest,
    testing::ValuesIn<ManagerCase>({
        {"AllByDefault", R"("command":["kube-controller-manager","--v=2"])", true},
        {"WithAPath", R"("command":["/usr/local/bin/kube-controller-manager"])", true},
        {"AllButOthers",
         R"("command":["kube-controller-manager","--controllers=*,-bootstrapsigner"])", true},
        {"Off",
         R"("command":["kube-controller-manager","--controllers=*,-taint-eviction-controller"])",
         false},
        {"OffInArguments",
         R"("command":["kube-controller-manager"],"args":["--controllers","*,-taint-eviction-controller"])",
         false},
        {"OthersAlone", R"("command":["kube-controller-manager","--controllers=job-controller"])",
         false},
        {"Alone",
         R"("command":["kube-controller-manager","--controllers=taint-eviction-controller"])",
         true},
        {"AnotherProgram", R"("command":["kube-scheduler"])", false},
        {"NoWords", R"("image":"x")", false},
    }),
    [](const auto& test) { return test.param.name; });

TEST(RivalManagerPhaseTest, WhatHasEndedIsNone) {
  const std::vector<ObjectPtr> pods = {api::DecodeJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"m","namespace":"kube-system"},)"
      R"("spec":{"containers":[{"name":"c","command":["kube-controller-manager"]}]},)"
      R"("status":{"phase":"Failed"}})")};
  const std::vector<std::string> names = {"taint-eviction-controller"};
  EXPECT_FALSE(FindRivalManager(pods, TracesOf(names)).has_value());
}

TEST(TracesOfTest, OnlyThoseThatSendPodsAway) {
  const std::vector<std::string> names = {"job-controller", "device-taint-eviction-controller"};
  const std::vector<EvictionTraces> traces = TracesOf(names);
  ASSERT_EQ(traces.size(), 1U);
  EXPECT_EQ(traces[0].event_reason, "DeviceTaintManagerEviction");
}

}  // namespace
}  // namespace plimsoll::controller
