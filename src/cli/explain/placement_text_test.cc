#include "cli/explain/placement_text.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::cli {
namespace {

Placement Refused() {
  Placement placement;
  placement.nodes = 2;
  placement.funnel = {{"TaintToleration", "taints", 1, 1}, {"NodeResourcesFit", "resources", 1, 0}};
  placement.message = "0/2 nodes are available: 1 Insufficient cpu.";
  placement.reasons = {{"NodeResourcesFit", "Insufficient cpu", 1, {"n\x1b", "1 cpu short"}}};
  placement.preemption = PreemptionPlan{"n1", {"a/1", "a/2", "a/3", "a/4", "a/5", "a/6"}, ""};
  return placement;
}

TEST(PlacementTextTest, ShowsFunnelReasonsAndPreemption) {
  TextLines out;
  AddPlacement(Refused(), "now: ", out);
  EXPECT_EQ(out.text().plain(),
            "now: 2 nodes → 1 after taints → 0 after resources\n"
            "0/2 nodes are available: 1 Insufficient cpu.\n"
            "\n"
            "resources (NodeResourcesFit):\n"
            "  1 node: Insufficient cpu\n"
            "    n^[: 1 cpu short\n"
            "\n"
            "preemption: would make room on n1 by evicting 6 pods: a/1, a/2, a/3, a/4, a/5 …\n");
}

TEST(PlacementTextTest, ShowsTheBestNodes) {
  Placement placement;
  placement.nodes = 6;
  for (int i = 0; i < 6; ++i) {
    placement.fits.push_back({"n" + std::to_string(i), 10 - i, {{"A", 10 - i}, {"B", 0}}});
  }
  TextLines out;
  AddPlacement(placement, "", out);
  EXPECT_TRUE(out.text().plain().starts_with("6 nodes\n\n6 nodes fit:\n  n0: score 10 = A 10\n"));
  EXPECT_TRUE(out.text().plain().ends_with("  and 1 more; -o wide shows them\n"));
  EXPECT_EQ(FittingText(1), "1 node fits");
}

TEST(PlacementTextTest, TheTreeHasTheSameFacts) {
  codec::Document document;
  const std::string json = codec::WriteJson(PlacementTree(Refused(), document));
  EXPECT_TRUE(json.contains(R"("funnel":[{"plugin":"TaintToleration","title":"taints",)")) << json;
  EXPECT_TRUE(json.contains(R"("victims":["a/1","a/2")")) << json;
}

}  // namespace
}  // namespace plimsoll::cli
