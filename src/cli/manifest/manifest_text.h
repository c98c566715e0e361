#pragma once

#include <cstddef>
#include <iosfwd>
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

/// Maximum size of a manifest. Files belong to the user, and `kubectl get nodes -o json` of a large
/// cluster is large.
inline constexpr std::size_t kManifestBytesMax = 1U << 30U;

/// Reads files, directories (*.yaml, *.yml, *.json, recursively, sorted by name), and standard
/// input for `-`. NotFound names the nearest file that exists. RequestEntityTooLarge: one has more
/// than `bytes_max` bytes.
Result<std::vector<ManifestText>> ReadManifestTexts(const std::vector<std::string>& paths,
                                                    std::istream& in,
                                                    std::size_t bytes_max = kManifestBytesMax);

}  // namespace plimsoll::cli
