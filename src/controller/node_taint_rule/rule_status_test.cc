#include "controller/node_taint_rule/rule_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

ObjectPtr RuleWith(std::string_view status) {
  return Decode(
      "{apiVersion: plimsoll.io/v1alpha1, kind: NodeTaintRule, metadata: {name: r, uid: u, "
      "resourceVersion: '7', generation: 2}, spec: {}, status: {" +
      std::string(status) + "}}");
}

RuleReport Report() {
  return {.selected = 3,
          .stale = 1,
          .tainted = 2,
          .values = {"100", "9", "20"},
          .is_healthy = true,
          .health_reason = "Answered",
          .last_success = Instant(60s)};
}

constexpr std::string_view kStored =
    "observedGeneration: 2, nodes: {selected: 3, stale: 1, tainted: 2}, "
    "values: {min: '9', median: '20', max: '100'}, lastSuccess: '1970-01-01T00:01:00Z', "
    "conditions: [{type: SourceHealthy, status: 'True', observedGeneration: 2, reason: Answered, "
    "message: '', lastTransitionTime: '1970-01-01T00:00:01Z'}, {type: Conflict, status: 'False', "
    "observedGeneration: 2, reason: NoConflict, message: '', "
    "lastTransitionTime: '1970-01-01T00:00:01Z'}]";

TEST(RuleStatusTest, TheFirstHasAllParts) {
  const RuleStatus status = StatusOf(*RuleWith(""), Report(), Instant(70s));
  EXPECT_EQ(status.difference, StatusDifference::Some);
  EXPECT_THAT(status.patch, HasSubstr(R"("resourceVersion":"7","uid":"u")"));
  EXPECT_THAT(status.patch, HasSubstr(R"("values":{"min":"9","median":"20","max":"100"})"));
  EXPECT_THAT(status.patch, HasSubstr(R"("lastSuccess":"1970-01-01T00:01:00Z")"));
  EXPECT_THAT(status.patch, HasSubstr(R"("lastTransitionTime":"1970-01-01T00:01:10Z")"));
}

TEST(RuleStatusTest, AnEqualOneIsNotWritten) {
  const RuleStatus status = StatusOf(*RuleWith(kStored), Report(), Instant(70s));
  EXPECT_EQ(status.difference, StatusDifference::None) << status.patch;
}

TEST(RuleStatusTest, ANewSuccessIsADifferenceOfItsOwn) {
  RuleReport report = Report();
  report.last_success = Instant(65s);
  EXPECT_EQ(StatusOf(*RuleWith(kStored), report, Instant(70s)).difference,
            StatusDifference::OnlySuccess);
  report.stale = 2;
  EXPECT_EQ(StatusOf(*RuleWith(kStored), report, Instant(70s)).difference, StatusDifference::Some);
}

TEST(RuleStatusTest, AConditionKeepsItsTimeUnlessItsStatusChanges) {
  RuleReport report = Report();
  report.health_message = "1 of 3 nodes have no value";
  EXPECT_THAT(StatusOf(*RuleWith(kStored), report, Instant(70s)).patch, Not(HasSubstr("00:01:10")));
  report.is_healthy = false;
  report.conflict_count = 12;
  report.conflicts = {{"n", "kubectl", "7"}};
  const std::string patch = StatusOf(*RuleWith(kStored), report, Instant(70s)).patch;
  EXPECT_THAT(patch, HasSubstr("00:01:10"));
  EXPECT_THAT(patch, HasSubstr("on 12 nodes"));
  EXPECT_THAT(patch, HasSubstr(R"("conflicts":[{"node":"n","manager":"kubectl","value":"7"}])"));
}

TEST(RuleStatusTest, TextsAreOrderedAfterNumbers) {
  RuleReport report = Report();
  report.values = {"v2", "10", "9", "v10"};
  EXPECT_THAT(StatusOf(*RuleWith(""), report, {}).patch,
              HasSubstr(R"("min":"9","median":"10","max":"v2")"));
  report.values.clear();
  EXPECT_THAT(StatusOf(*RuleWith(""), report, {}).patch, HasSubstr(R"("values":null)"));
}

}  // namespace
}  // namespace plimsoll::controller
