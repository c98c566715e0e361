#include "controller/taint_eviction/eviction_text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace plimsoll::controller {
namespace {

TEST(EvictionTextTest, BeginsWithUpstreamsSentence) {
  api::ObjectMeta pod;
  pod.namespace_ = "default";
  pod.name = "p";
  EXPECT_EQ(MarkingText(pod, "so it is", "; now"),
            "Marking for deletion Pod default/p: so it is; now");
  EXPECT_EQ(CancellingText(pod, "so it is"), "Cancelling deletion of Pod default/p: so it is");
}

TEST(EvictionTextTest, NamesTheTime) {
  EXPECT_EQ(TimeIsOverText(std::chrono::seconds(30), ParseTime("2026-03-01T12:30:00Z").value()),
            "; its 30s ran from 2026-03-01T12:30:00Z");
}

}  // namespace
}  // namespace plimsoll::controller
