#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// A text to read manifests from, with the name that messages give it.
struct Source {
  std::string name;
  std::string text;
};

/// Reads files, the manifests of directories (*.yaml, *.yml, *.json, also in sub-directories, in
/// order of their names), and standard input for `-`. NotFound names the nearest file that exists.
Result<std::vector<Source>> ReadSources(const std::vector<std::string>& paths, std::istream& in);

}  // namespace plimsoll::cli
