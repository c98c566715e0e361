#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"

// jemalloc, where it is linked, finds this by its name. Memory that has been free for ten seconds
// goes back to the system even when nothing else happens.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true";
}

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return plimsoll::cli::Run({argv + 1, argv + argc}, {std::cin, std::cout, std::cerr});
}
