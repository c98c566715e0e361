#pragma once

#include <string>

/// Functions shared by the benchmark programs.
namespace plimsoll::bench {

/// Returns the CPU time of this thread, which other programs do not affect.
double ProcessorSeconds();

/// Returns the path of the `plimsoll` binary in the same directory as this program.
std::string PlimsollBeside();

struct ProgramFlags {
  bool is_quick = false;   // --quick: a tenth of the size
  bool is_strict = false;  // --strict: a missed target is a failure
};
ProgramFlags ReadFlags(int argc, char** argv);

}  // namespace plimsoll::bench
