#include "controller/ttl_after_finished/ttl_after_finished.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "controller/server_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart(1h);

std::string Job(std::string_view name, std::string_view ttl, std::string_view condition) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + std::string(name) +
         ", namespace: default}\nspec: {" + std::string(ttl) + "}\nstatus: {conditions: [" +
         std::string(condition) + "]}\n";
}
constexpr std::string_view kComplete =
    "{type: Complete, status: 'True', lastTransitionTime: '1970-01-01T01:00:00Z'}";
constexpr std::string_view kFailed =
    "{type: Failed, status: 'True', lastTransitionTime: '1970-01-01T01:00:10Z'}";

class TtlAfterFinishedTest : public testing::Test {
 protected:
  TtlAfterFinishedTest() : server_(core_, kStart) { server_.Sync(); }

  bool IsThere(std::string_view name) { return server_.Find("Job", "default", name) != nullptr; }

  TtlAfterFinishedController core_;
  ServerForTest<TtlAfterFinishedController> server_;
};

TEST_F(TtlAfterFinishedTest, JobsGoWhenTheirTimeIsOver) {
  server_.Put(Job("complete", "ttlSecondsAfterFinished: 20", kComplete));
  server_.Put(Job("failed", "ttlSecondsAfterFinished: 20", kFailed));
  server_.Put(Job("kept", "", kComplete));
  server_.Put(Job("running", "ttlSecondsAfterFinished: 0", ""));
  server_.RunFor(19s);
  EXPECT_TRUE(IsThere("complete"));
  server_.RunFor(1s);
  EXPECT_FALSE(IsThere("complete"));
  EXPECT_TRUE(IsThere("failed"));
  server_.RunFor(10s);
  EXPECT_FALSE(IsThere("failed"));
  server_.RunFor(1h);
  EXPECT_TRUE(IsThere("kept"));
  EXPECT_TRUE(IsThere("running"));
}

TEST_F(TtlAfterFinishedTest, ALongerTimeCounts) {
  server_.Put(Job("a", "ttlSecondsAfterFinished: 20", kComplete));
  server_.RunFor(10s);
  server_.Put(Job("a", "ttlSecondsAfterFinished: 100", kComplete));
  server_.RunFor(80s);
  EXPECT_TRUE(IsThere("a"));
  server_.RunFor(10s);
  EXPECT_FALSE(IsThere("a"));
}

TEST_F(TtlAfterFinishedTest, AFailedDeletionIsTriedAgain) {
  server_.FailNext(3);
  server_.Put(Job("a", "ttlSecondsAfterFinished: 0", kComplete));
  server_.Settle();
  EXPECT_TRUE(IsThere("a"));
  server_.RunFor(1s);
  EXPECT_FALSE(IsThere("a"));
}

}  // namespace
}  // namespace plimsoll::controller
