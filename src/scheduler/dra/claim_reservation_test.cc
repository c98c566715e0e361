#include "scheduler/dra/claim_reservation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/dra/devices_for_test.h"

namespace plimsoll::scheduler {
namespace {

using std::chrono::seconds;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kConditions =
    "[{name: a, bindingConditions: [Attached], bindingFailureConditions: [Broken]}]";

class ClaimReservationTest : public testing::Test {
 protected:
  ClaimReservationTest() {
    cluster_.UpsertNode(*NodeFromYaml("n1")->As<api::Node>());
    Put(cluster_, ClassFromYaml());
    Put(cluster_, SliceFromYaml("n1", "[{name: a}]"));
    Tell(ClaimFromYaml("c"));
  }

  Devices& devices() { return cluster_.devices(); }
  /// Delivers an informer event for claim `c`.
  void Tell(const ObjectPtr& claim) {
    Put(cluster_, claim, known_);
    known_ = claim;
  }
  void DeliverDeleted() {
    devices().Observe({.old_object = known_, .new_object = nullptr});
    known_.reset();
  }
  /// Reserves the known claim; allocates it first if necessary.
  ClaimReservation Reserve() {
    ClaimReservation::Part part{known_, std::nullopt};
    if (!known_->As<api::ResourceClaim>()->allocation) {
      devices().FollowNodes(cluster_);
      dra::Allocator& allocator = devices().allocator();
      auto outcome = allocator.Allocate(allocator.Compile({known_}), *cluster_.FindNode("n1"),
                                        devices().random());
      part.allocation = std::move(outcome.allocations.at(0));
    }
    return {devices(), "n1", {std::move(part)}};
  }
  PreBindOutcome Continue(ClaimReservation& reservation) {
    return reservation.Continue(devices(), pod_->metadata(), now_);
  }
  static std::string Bodies(const std::vector<api::Write>& writes) {
    std::string text;
    for (const api::Write& write : writes) {
      const auto& patch = std::get<api::PatchObject>(write);
      EXPECT_EQ(patch.form, api::PatchForm::StrategicMerge);
      text.append(patch.subresource).append(patch.body).append("\n");
    }
    return text;
  }
  static std::string Allocated(std::string_view more = {}) {
    return StatusYaml(AllocationYaml("n1", "a", more), {"p"});
  }

  ClusterState cluster_{match::Rules{}};
  const ObjectPtr pod_ = PodFromYaml("p", "{containers: []}");
  ObjectPtr known_;
  Instant now_ = *ParseTime("2026-01-01T00:00:00Z");
};

TEST_F(ClaimReservationTest, WritesTheFinalizerAndTheAllocationThenLetsThePodGo) {
  ClaimReservation reservation = Reserve();
  EXPECT_EQ(devices().pending(), 1U);
  const PreBindOutcome outcome = Continue(reservation);
  EXPECT_EQ(outcome.verdict.code, Code::Wait);
  EXPECT_EQ(
      Bodies(outcome.writes),
      R"({"metadata":{"uid":"uid-default-c","finalizers":["resource.kubernetes.io/delete-protection"]}})"
      "\n"
      R"(status{"metadata":{"uid":"uid-default-c"},"status":{"allocation":)"
      R"({"devices":{"results":[{"request":"r","driver":"d","pool":"n1","device":"a"}]},)"
      R"("nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}]},)"
      R"("allocationTimestamp":"2026-01-01T00:00:00Z"},)"
      R"("reservedFor":[{"resource":"pods","name":"p","uid":"uid-default-p"}]}})"
      "\n");
  EXPECT_EQ(Continue(reservation).verdict.code, Code::Success);
  EXPECT_EQ(devices().pending(), 1U) << "until the claim shows it";
}

TEST_F(ClaimReservationTest, AnAllocatedClaimIsOnlyReserved) {
  Tell(ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a"), {"q"})));
  ClaimReservation reservation = Reserve();
  EXPECT_EQ(devices().pending(), 0U);
  const PreBindOutcome outcome = Continue(reservation);
  ASSERT_THAT(outcome.writes, SizeIs(1));
  const std::string& body = std::get<api::PatchObject>(outcome.writes[0]).body;
  EXPECT_THAT(body, testing::HasSubstr(R"("device":"a")"))
      << "so that no other allocation is meant";
  EXPECT_THAT(body,
              testing::EndsWith(
                  R"("reservedFor":[{"resource":"pods","name":"p","uid":"uid-default-p"}]}})"));
  EXPECT_EQ(Continue(reservation).verdict.code, Code::Success);
}

TEST_F(ClaimReservationTest, AReservedClaimIsLeftAsItIs) {
  Tell(ClaimFromYaml("c", Allocated()));
  ClaimReservation reservation = Reserve();
  EXPECT_EQ(Continue(reservation).verdict.code, Code::Success);
}

TEST_F(ClaimReservationTest, SaysWhatHappenedMeanwhile) {
  ClaimReservation gone = Reserve();
  DeliverDeleted();
  EXPECT_EQ(Continue(gone).verdict.Message(), "claim default/c got deleted in the meantime");
  Tell(ClaimFromYaml("c"));
  ClaimReservation going = Reserve();
  Tell(ClaimFromYaml("c", {}, {}, "deletionTimestamp: '2026-01-01T00:00:00Z'"));
  EXPECT_EQ(Continue(going).verdict.Message(), "claim default/c got deleted in the meantime");
  going.Undo(devices(), pod_->metadata());
  Tell(ClaimFromYaml("c"));
  ClaimReservation late = Reserve();
  Tell(ClaimFromYaml("c", StatusYaml(AllocationYaml("n2", "b"))));
  EXPECT_EQ(Continue(late).verdict.Message(),
            "claim default/c got allocated elsewhere in the meantime");
  ClaimReservation shared = Reserve();
  Tell(ClaimFromYaml("c"));
  EXPECT_EQ(Continue(shared).verdict.Message(), "claim default/c got deallocated in the meantime");
}

TEST_F(ClaimReservationTest, WhatNobodyKnowsIsWrittenAgain) {
  ClaimReservation reservation = Reserve();
  const std::string first = Bodies(Continue(reservation).writes);
  const Error unknown{.reason = Reason::Timeout, .message = "no answer"};
  EXPECT_EQ(reservation.WritesFailed(devices(), unknown).code, Code::Wait);
  EXPECT_EQ(Bodies(Continue(reservation).writes), first);
  const Error refused{.reason = Reason::Invalid, .message = "it is immutable"};
  EXPECT_EQ(reservation.WritesFailed(devices(), refused),
            Verdict::Of(Code::Error, "it is immutable"));
  DeliverDeleted();
  EXPECT_EQ(reservation.WritesFailed(devices(), refused),
            Verdict::Of(Code::Error, "claim default/c got deleted in the meantime"));
}

TEST_F(ClaimReservationTest, AWriteThatWasDoneAfterAllIsNotRepeated) {
  ClaimReservation reservation = Reserve();
  Continue(reservation);
  const Error unknown{.reason = Reason::ServiceUnavailable, .message = "no answer"};
  EXPECT_EQ(reservation.WritesFailed(devices(), unknown).code, Code::Wait);
  Tell(ClaimFromYaml("c", Allocated()));
  EXPECT_EQ(Continue(reservation).verdict.code, Code::Success);
}

TEST_F(ClaimReservationTest, UndoGivesBackWhatIsNotWritten) {
  ClaimReservation reservation = Reserve();
  EXPECT_THAT(reservation.Undo(devices(), pod_->metadata()), IsEmpty());
  EXPECT_EQ(devices().pending(), 0U);
}

TEST_F(ClaimReservationTest, UndoTakesBackWhatIsWritten) {
  ClaimReservation reservation = Reserve();
  Continue(reservation);
  Continue(reservation);
  EXPECT_EQ(Bodies(reservation.Undo(devices(), pod_->metadata())),
            R"(status{"metadata":{"uid":"uid-default-c"},"status":{"reservedFor":[)"
            R"({"$patch":"delete","uid":"uid-default-p"}]}})"
            "\n");
  EXPECT_EQ(devices().pending(), 1U) << "the server has it, and will say so";
}

TEST_F(ClaimReservationTest, WaitsForDrivers) {
  Put(cluster_, SliceFromYaml("n1", kConditions), SliceFromYaml("n1", "[{name: a}]"));
  ClaimReservation reservation = Reserve();
  EXPECT_THAT(Continue(reservation).writes, SizeIs(2));
  PreBindOutcome outcome = Continue(reservation);
  EXPECT_EQ(outcome.verdict.code, Code::Wait);
  EXPECT_EQ(outcome.event_reason, "BindingConditionsPending");
  EXPECT_EQ(outcome.event_note, "waiting for binding conditions for device on node n1");
  EXPECT_EQ(outcome.deadline, now_ + seconds(5));
  now_ += seconds(5);
  outcome = Continue(reservation);
  EXPECT_EQ(outcome.verdict.code, Code::Wait);
  EXPECT_EQ(outcome.event_reason, "") << "told once";

  constexpr std::string_view kMore =
      ", bindingConditions: [Attached], bindingFailureConditions: [Broken]";
  std::string status = Allocated(kMore);
  status.pop_back();
  Tell(ClaimFromYaml("c", status + ", devices: [{driver: d, pool: n1, device: a, conditions: "
                                   "[{type: Attached, status: 'True'}]}]}"));
  EXPECT_EQ(Continue(reservation).verdict.code, Code::Success);
  Tell(ClaimFromYaml("c", status + ", devices: [{driver: d, pool: n1, device: a, conditions: "
                                   "[{type: Broken, status: 'True', reason: Smoke}]}]}"));
  EXPECT_EQ(Continue(reservation).verdict.Message(),
            R"(claim c binding failed: reason=Smoke, message="")");
}

TEST_F(ClaimReservationTest, DriversMustNotTakeForEver) {
  Put(cluster_, SliceFromYaml("n1", kConditions), SliceFromYaml("n1", "[{name: a}]"));
  ClaimReservation reservation = Reserve();
  Continue(reservation);
  EXPECT_EQ(Continue(reservation).verdict.code, Code::Wait);
  now_ += seconds(598);
  EXPECT_EQ(Continue(reservation).deadline, now_ + seconds(2));
  now_ += seconds(2);
  const PreBindOutcome outcome = Continue(reservation);
  EXPECT_EQ(outcome.verdict.code, Code::Error);
  EXPECT_EQ(outcome.verdict.Message(), "device binding timeout");
}

}  // namespace
}  // namespace plimsoll::scheduler
