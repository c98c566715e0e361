#pragma once

#include <string>

/// What the programs have in common.
namespace plimsoll::bench {

/// Of this thread on its processor, so that other work on the machine does not count.
double ProcessorSeconds();

/// The path of the `plimsoll` that stands beside this program.
std::string PlimsollBeside();

struct ProgramFlags {
  bool is_quick = false;   // --quick: a tenth of the size
  bool is_strict = false;  // --strict: a missed aim is a failure
};
ProgramFlags ReadFlags(int argc, char** argv);

}  // namespace plimsoll::bench
