#include "cli/output/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

namespace plimsoll::cli {
namespace {

struct DeviceCase {
  bool is_terminal;
  std::size_t window_columns;
  TerminalEnvironment environment;
  bool wants_colour;
  std::size_t columns;
};

TEST(TerminalTest, FollowsTheTerminalAndItsEnvironment) {
  const DeviceCase kCases[] = {
      {true, 80, {.term = "xterm"}, true, 80},
      {true, 80, {.no_color = "1", .term = "xterm"}, false, 80},
      {true, 80, {.term = "dumb"}, false, 80},
      {true, 80, {}, false, 80},
      {true, 0, {.term = "xterm", .columns = "132"}, true, 132},
      {true, 80, {.term = "xterm", .columns = "132"}, true, 80},
      {true, 0, {.term = "xterm", .columns = "wide"}, true, 0},
      {true, 0, {.term = "xterm", .columns = "-5"}, true, 0},
      {true, 0, {.term = "xterm", .columns = "99999999999999999999"}, true, 0},
      {true, 19, {.term = "xterm"}, true, 0},
      {true, 20, {.term = "xterm"}, true, 20},
      {false, 80, {.term = "xterm", .columns = "132"}, false, 0},
  };
  for (const DeviceCase& one : kCases) {
    const StreamDevice device =
        DescribeDevice(one.is_terminal, one.window_columns, one.environment);
    EXPECT_EQ(device.is_terminal, one.is_terminal);
    EXPECT_EQ(device.wants_colour, one.wants_colour) << one.environment.term;
    EXPECT_EQ(device.columns, one.columns) << one.environment.columns;
  }
}

TEST(TerminalTest, ReadsTheWidthOfARealTerminal) {
  int controller = -1;
  int terminal = -1;
  const winsize window{.ws_row = 24, .ws_col = 97, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(openpty(&controller, &terminal, nullptr, nullptr, &window), 0);
  EXPECT_EQ(DescribeDevice(terminal, {.term = "xterm"}).columns, 97U);
  EXPECT_TRUE(DescribeDevice(terminal, {.term = "xterm"}).wants_colour);
  close(terminal);
  close(controller);
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  EXPECT_FALSE(DescribeDevice(pipe_ends[1], {.term = "xterm"}).is_terminal);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

}  // namespace
}  // namespace plimsoll::cli
