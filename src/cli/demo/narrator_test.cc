#include "cli/demo/narrator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/virtual_clock.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class NarratorTest : public testing::Test {
 protected:
  std::string CountFrom(std::int64_t first, bool is_terminal) {
    std::ostringstream out;
    const Look look{.is_terminal = is_terminal};
    Narrator narrator(out, {.look = look, .has_pauses = false}, clock_, stop_);
    for (std::int64_t left = first; left >= 0; --left) {
      narrator.Countdown(left, "in " + std::to_string(left) + " s");
      narrator.Countdown(left, "in " + std::to_string(left) + " s");
    }
    narrator.EndCountdown();
    return out.str();
  }

  VirtualClock clock_;
  const std::shared_ptr<client::StopSignal> stop_ = std::make_shared<client::StopSignal>();
};

TEST_F(NarratorTest, PrintsStepsWithTheirCommands) {
  std::ostringstream out;
  Narrator narrator(out, {.has_pauses = false}, clock_, stop_);
  narrator.Step("Nodes");
  narrator.Command("kubectl get nodes");
  narrator.Table({"NAME", "RISK"}, {{"spot-01", "15"}});
  narrator.Pause();
  narrator.Step("Pods");
  EXPECT_EQ(out.str(),
            "\n1. Nodes\n   $ kubectl get nodes\n   NAME      RISK\n   spot-01   15\n\n2. Pods\n");
}

TEST_F(NarratorTest, MovesTheCursorOnATerminalOnly) {
  EXPECT_EQ(CountFrom(12, false), "   in 12 s\n   in 10 s\n   in 0 s\n");
  const std::string shown = CountFrom(2, true);
  EXPECT_EQ(shown, "\r\x1b[K   in 2 s\r\x1b[K   in 1 s\r\x1b[K   in 0 s\r\x1b[K");
}

TEST_F(NarratorTest, FoldsTextsAndTablesButNoCommand) {
  std::ostringstream out;
  Narrator narrator(out, {.look = {.is_terminal = true, .columns = 24}, .has_pauses = false},
                    clock_, stop_);
  narrator.Say("a pod has left the node for good");
  narrator.Command("kubectl get pods -o wide --watch");
  narrator.Table({"POD", "WHY"}, {{"web", "the value is above the line"}});
  narrator.Countdown(1, "the pod leaves in one second");
  std::istringstream lines(out.str().substr(0, out.str().find('\r')));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("   $ ")) {
      EXPECT_EQ(line, "   $ kubectl get pods -o wide --watch");
    } else {
      EXPECT_LE(line.size(), 24U) << line;
      EXPECT_TRUE(line.starts_with("   ")) << line;
    }
  }
  EXPECT_LE(out.str().substr(out.str().find('\r')).size(), 24U + kEraseLine.size());
}

TEST_F(NarratorTest, AStopEndsAPause) {
  std::ostringstream out;
  Narrator narrator(out, {}, clock_, stop_);
  stop_->Stop();
  narrator.Pause();  // the time of this clock never passes, so that only the stop can end it
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace plimsoll::cli
