#include "agent/node_status_reporter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/parts_for_test.h"

namespace plimsoll::agent {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class NodeStatusReporterTest : public PartsForTest, public testing::Test {
 protected:
  void Join() {
    reporter_.Join(node_, Now());
    reporter_.StartReports(node_, Now());
  }
  PatchObject TakeReport() {
    const auto reports = Take<PatchObject>();
    EXPECT_EQ(reports.size(), 1U);
    return reports.empty() ? PatchObject{} : reports[0];
  }
  void WakeIn(Duration time) {
    now_ += time;
    reporter_.Wake(Now());
  }

  HostedNode hosted_{.name = "n",
                     .metadata = R"({"name":"n"})",
                     .spec = "{}",
                     .status = R"({"capacity":{"cpu":"4"}})",
                     .address = "10.0.0.7"};
  NodeStatusReporter reporter_{{.period = minutes(5),
                                .adopted_status = R"({"capacity":{"cpu":"2"}})",
                                .addresses = *AddressPool::Parse("172.16.0.0/24")},
                               next_action_,
                               runtime_,
                               events_};
};

TEST_F(NodeStatusReporterTest, RegistersAHostedNodeUntilItSucceeds) {
  node_.hosted = &hosted_;
  node_.is_there = false;
  node_.address.clear();
  reporter_.Register(node_, Now());
  auto created = Take<CreateObject>();
  ASSERT_EQ(created.size(), 1U);
  EXPECT_EQ(node_.address, "10.0.0.7");
  reporter_.Finish(Failure(created[0].id, Reason::InternalError), Now());
  EXPECT_FALSE(reporter_.HasRegistered(node_));
  ASSERT_TRUE(reporter_.NextWake());
  WakeIn(*reporter_.NextWake() - now_);
  created = Take<CreateObject>();
  ASSERT_EQ(created.size(), 1U);
  EXPECT_TRUE(reporter_.Finish(Success(created[0].id), Now()));
  EXPECT_TRUE(reporter_.HasRegistered(node_));
}

TEST_F(NodeStatusReporterTest, AnAdoptedNodeKeepsItsOwnCapacity) {
  Join();
  EXPECT_EQ(TakeReport().body.find("capacity"), std::string::npos);
}

TEST_F(NodeStatusReporterTest, AnAdoptedNodeWithoutCapacityIsReportedWithAddressAndCapacity) {
  node_.object = api::DecodeJson(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}})");
  Join();
  const PatchObject report = TakeReport();
  EXPECT_NE(report.body.find("InternalIP"), std::string::npos);
  EXPECT_NE(report.body.find(R"("cpu":"2")"), std::string::npos);
  reporter_.Finish(Success(report.id), Now());
  reporter_.RequestReport(node_);
  reporter_.Report(node_, Now());
  EXPECT_EQ(TakeReport().body.find("InternalIP"), std::string::npos);
}

TEST_F(NodeStatusReporterTest, OneReportIsInFlightAndAFailedOneIsRepeatedWhole) {
  Join();
  const PatchObject first = TakeReport();
  reporter_.RequestReport(node_);
  reporter_.Report(node_, Now());
  EXPECT_TRUE(Take<PatchObject>().empty());
  reporter_.Finish(Failure(first.id, Reason::InternalError), Now());
  WakeIn(seconds(1));
  EXPECT_NE(TakeReport().body.find("InternalIP"), std::string::npos);
}

TEST_F(NodeStatusReporterTest, ReportsTheLargestImagesUpToTheLimit) {
  Join();
  reporter_.Finish(Success(TakeReport().id), Now());
  std::string containers;
  for (std::size_t i = 0; i < kNodeStatusImagesMax + 10; ++i) {
    containers +=
        R"({"name":"i)" + std::to_string(i) + R"(","image":"image-)" + std::to_string(i) + R"("},)";
  }
  containers.pop_back();
  const ObjectPtr pod = APod("", R"("initContainers":[)" + containers + "],");
  reporter_.AddImages(node_, pod->As<api::Pod>()->spec, now_);
  WakeIn(minutes(1));
  const std::string body = TakeReport().body;
  std::size_t count = 0;
  for (std::size_t at = 0; (at = body.find("\"sizeBytes\"", at)) != std::string::npos; ++at) {
    ++count;
  }
  EXPECT_EQ(count, kNodeStatusImagesMax);
}

TEST_F(NodeStatusReporterTest, ANodeMarkedNotReadyIsCorrectedAfterTheConfirmTime) {
  Join();
  reporter_.Finish(Success(TakeReport().id), Now());
  reporter_.CheckReadiness(node_, now_);  // the object has no condition Ready yet
  reporter_.Report(node_, Now());
  EXPECT_TRUE(Take<PatchObject>().empty());
  WakeIn(seconds(10));
  TakeReport();
}

}  // namespace
}  // namespace plimsoll::agent
