#include "api/core/pod_phase.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

TEST(PodPhaseTest, OnlySucceededAndFailedAreTerminal) {
  for (const std::string_view phase : {"Succeeded", "Failed"}) {
    EXPECT_TRUE(IsPodPhaseTerminal(phase)) << phase;
  }
  for (const std::string_view phase : {"", "Pending", "Running", "Unknown", "failed"}) {
    EXPECT_FALSE(IsPodPhaseTerminal(phase)) << phase;
  }
  Pod pod;
  EXPECT_FALSE(IsPodTerminal(pod));
  pod.status.phase = "Failed";
  EXPECT_TRUE(IsPodTerminal(pod));
}

}  // namespace
}  // namespace plimsoll::api
