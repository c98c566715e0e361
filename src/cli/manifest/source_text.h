#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// A text that contains manifests, and its name for messages.
struct Source {
  std::string name;
  std::string text;
};

/// Reads files, directories (*.yaml, *.yml, *.json, recursively, sorted by name), and standard
/// input for `-`. NotFound names the nearest file that exists.
Result<std::vector<Source>> ReadSources(const std::vector<std::string>& paths, std::istream& in);

}  // namespace plimsoll::cli
