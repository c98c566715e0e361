#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return plimsoll::cli::Run({argv + 1, argv + argc}, {std::cin, std::cout, std::cerr});
}
