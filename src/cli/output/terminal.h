#pragma once

#include <string>

#include "cli/output/style.h"

namespace plimsoll::cli {

/// Environment variables that describe the terminal. Unset and empty are the same.
struct TerminalEnvironment {
  std::string no_color;  // $NO_COLOR: not empty switches colours off, see no-color.org
  std::string term;      // $TERM: `dumb` and unset mean that the terminal has no colours
  std::string columns;   // $COLUMNS: width, used if the terminal does not tell its own
};

TerminalEnvironment ReadTerminalEnvironment();

/// Returns the properties of a device. `window_columns` is the width that the terminal reports; 0
/// if it reports none.
StreamDevice DescribeDevice(bool is_terminal, std::size_t window_columns,
                            const TerminalEnvironment& environment);

/// Same, for an open file descriptor.
StreamDevice DescribeDevice(int descriptor, const TerminalEnvironment& environment);

}  // namespace plimsoll::cli
