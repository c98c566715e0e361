#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/output/terminal.h"

// Options of jemalloc, which finds them by this name if it is linked. Returns memory to the system
// after ten idle seconds, even without further calls. Caches the 64 KiB read buffers of
// connections per thread, to avoid a lock per read. Samples one allocation per 16 MiB for
// /debug/pprof/heap: a stack trace per 512 KiB would make a create 25 % more expensive.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true,lg_tcache_max:17,prof:true,lg_prof_sample:24";
}

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const plimsoll::cli::TerminalEnvironment environment = plimsoll::cli::ReadTerminalEnvironment();
  // A caller may pass no arguments at all, not even the program's name.
  return plimsoll::cli::Run(
      {argv + std::min(argc, 1), argv + argc},
      {std::cin, std::cout, std::cerr, plimsoll::cli::DescribeDevice(STDOUT_FILENO, environment),
       plimsoll::cli::DescribeDevice(STDERR_FILENO, environment), isatty(STDIN_FILENO) == 1},
      plimsoll::cli::CalledAsOf(argc > 0 ? argv[0] : ""));
}
