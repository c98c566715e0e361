#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"

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
  return plimsoll::cli::Run({argv + 1, argv + argc}, {std::cin, std::cout, std::cerr});
}
