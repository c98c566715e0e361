#include "controller/eviction_request/eviction_plan.h"

#include <gtest/gtest.h>

#include <string>

#include "controller/eviction_request/eviction_state.h"
#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using Kind = EvictionStep::Kind;
using namespace std::chrono_literals;

constexpr Instant kNow(100h);

std::string At(Duration before) { return "'" + FormatTime(kNow - before) + "'"; }

ObjectPtr Pod() {
  return Decode(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default, uid: u}\nspec: "
      "{evictionResponders: [{name: acme.io/saver, priority: 2000}]}\nstatus: {phase: Running}\n");
}
ObjectPtr Request(std::string_view name, std::string_view requester,
                  std::string_view intent = "Eviction") {
  return Decode("apiVersion: lifecycle.k8s.io/v1alpha1\nkind: EvictionRequest\nmetadata: {name: " +
                std::string(name) +
                ", namespace: default, uid: x}\nspec: {requester: " + std::string(requester) +
                ", intent: " + std::string(intent) + ", target: {pod: {name: a, uid: u}}}\n");
}
/// Returns an Eviction whose saver has reported these fields.
ObjectPtr Eviction(std::string_view report) {
  return Decode(
      "apiVersion: lifecycle.k8s.io/v1alpha1\nkind: Eviction\nmetadata: {name: u, namespace: "
      "default, uid: e, resourceVersion: '7'}\nspec: {target: {pod: {name: a, uid: "
      "u}}}\nstatus: {targetResponders: [{name: acme.io/saver, priority: 2000, state: Active}, "
      "{name: imperative-eviction.k8s.io/evictor, priority: 100, state: Inactive}], requesters: "
      "[{name: acme.io/drain, intent: Eviction}], responders: [{name: acme.io/saver, " +
      std::string(report) + "}]}\n");
}

class EvictionPlanTest : public testing::Test {
 protected:
  EvictionPlanTest() {
    target_.namespace_ = "default";
    target_.name = "a";
    target_.uid = "u";
    target_.pod = Pod();
    target_.requests.emplace("r", Request("r", "acme.io/drain"));
  }
  EvictionStep Next() { return NextEvictionStep(target_, nullptr, kNow); }

  EvictionTarget target_;
};

TEST_F(EvictionPlanTest, TheFirstRequestCreatesAnEviction) {
  const EvictionStep step = Next();
  EXPECT_EQ(step.kind, Kind::Create);
  EXPECT_EQ(step.body,
            R"({"apiVersion":"lifecycle.k8s.io/v1alpha1","kind":"Eviction","metadata":{)"
            R"("name":"u","namespace":"default","labels":{"acme.io/drain":"requester",)"
            R"("acme.io/saver":"responder","imperative-eviction.k8s.io/evictor":"responder"}},)"
            R"("spec":{"target":{"pod":{"name":"a","uid":"u"}}}})");
}

TEST_F(EvictionPlanTest, AWithdrawnRequestCreatesNone) {
  target_.requests.clear();
  target_.requests.emplace("r", Request("r", "acme.io/drain", "Withdrawn"));
  EXPECT_EQ(Next().kind, Kind::Nothing);
}

TEST_F(EvictionPlanTest, AHeartbeatMovesTheDeadline) {
  target_.eviction = Eviction("startTime: " + At(30min) + ", heartbeatTime: " + At(5min));
  const EvictionStep step = Next();
  EXPECT_EQ(step.due, kNow + 15min);
  EXPECT_FALSE(step.body.contains("Interrupted")) << step.body;
}

TEST_F(EvictionPlanTest, AHeartbeatFromTheFutureIsNotTrusted) {
  target_.eviction = Eviction("startTime: " + At(30min) + ", heartbeatTime: " + At(-10h));
  EXPECT_TRUE(Next().body.contains(R"("state":"Interrupted")")) << Next().body;
}

TEST_F(EvictionPlanTest, AnUnreadableReportEndsTheTurn) {
  target_.eviction = Eviction("message: lost");
  EXPECT_TRUE(Next().body.contains(R"("state":"Interrupted")")) << Next().body;
}

TEST_F(EvictionPlanTest, RequestersAreLimited) {
  target_.eviction = Eviction("startTime: " + At(1min));
  for (int i = 0; i < 300; ++i) {
    const std::string name = "n" + std::to_string(i);
    target_.requests.emplace(name,
                             Request(name, "acme.io/" + name, i < 200 ? "Withdrawn" : "Eviction"));
  }
  const std::string body = Next().body;
  std::size_t wanted = 0;
  for (std::size_t at = body.find(R"("intent":"Eviction")"); at != body.npos;
       at = body.find(R"("intent":"Eviction")", at + 1)) {
    ++wanted;
  }
  EXPECT_EQ(wanted, 100U);
  EXPECT_FALSE(body.contains("Withdrawn"));
}

TEST_F(EvictionPlanTest, AnEvictionThatIsBeingDeletedIsLeftAlone) {
  target_.eviction = Decode(
      "apiVersion: lifecycle.k8s.io/v1alpha1\nkind: Eviction\nmetadata: {name: u, namespace: "
      "default, uid: e, deletionTimestamp: '2026-03-01T12:00:00Z'}\nspec: {target: {pod: {name: "
      "a, uid: u}}}\n");
  EXPECT_EQ(Next().kind, Kind::Nothing);
}

TEST_F(EvictionPlanTest, AStateWithoutChangeNeedsNoPatch) {
  target_.eviction = Eviction("startTime: " + At(1min));
  const EvictionState state(target_);
  EXPECT_EQ(state.Patch(), R"({"metadata":{"resourceVersion":"7","uid":"e"},)"
                           R"("status":{"observedGeneration":0}})");
  EXPECT_TRUE(state.IsWanted());
  EXPECT_FALSE(state.IsDone());
}

}  // namespace
}  // namespace plimsoll::controller
