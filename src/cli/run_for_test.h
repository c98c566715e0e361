#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/app.h"

namespace plimsoll::cli {

/// Output and exit code of a call of the program.
struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline Outcome RunForTest(const std::vector<std::string>& words, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = Run(words, {in, out, err});
  return {code, out.str(), err.str()};
}

/// Returns the path of a file in the source tree.
inline std::string InTree(const std::string& path) {
  return std::string(PLIMSOLL_SOURCE_DIRECTORY) + "/" + path;
}

}  // namespace plimsoll::cli
