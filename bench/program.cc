#include "program.h"

#include <time.h>

#include <filesystem>
#include <string_view>

namespace plimsoll::bench {

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::string PlimsollBeside() {
  return std::filesystem::canonical("/proc/self/exe").replace_filename("plimsoll").string();
}

ProgramFlags ReadFlags(int argc, char** argv) {
  ProgramFlags flags;
  for (int i = 1; i < argc; ++i) {
    flags.is_quick |= std::string_view(argv[i]) == "--quick";
    flags.is_strict |= std::string_view(argv[i]) == "--strict";
  }
  return flags;
}

}  // namespace plimsoll::bench
