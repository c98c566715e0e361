#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// A text that contains manifests, and its name for messages.
struct ManifestText {
  std::string name;
  std::string text;
};

/// Reads files, directories (*.yaml, *.yml, *.json, recursively, sorted by name), and standard
/// input for `-`. NotFound names the nearest file that exists.
Result<std::vector<ManifestText>> ReadManifestTexts(const std::vector<std::string>& paths,
                                                    std::istream& in);

}  // namespace plimsoll::cli
