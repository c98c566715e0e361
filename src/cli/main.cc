#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"

// jemalloc, where it is linked, finds this by its name. Memory that has been free for ten seconds
// goes back to the system even when nothing else happens. What a connection reads into, 64 KiB, is
// kept by each thread as small pieces are: else every read would ask for it under a lock. One in
// half a million bytes is sampled for /debug/pprof/heap.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true,lg_tcache_max:17,prof:true,lg_prof_sample:19";
}

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return plimsoll::cli::Run({argv + 1, argv + argc}, {std::cin, std::cout, std::cerr});
}
