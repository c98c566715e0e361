#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/manifest/manifest.h"

namespace plimsoll::cli {

/// Reads all objects of the paths, including those that do not decode.
Result<std::vector<Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                            const ManifestOptions& options, Context& context);

/// Same, but returns BadRequest with file and line if one does not decode. Objects may come from a
/// server that knows more fields than this program. So unknown fields only cause warnings.
Result<std::vector<Manifest>> ReadValidManifests(const std::vector<std::string>& paths,
                                                 const ManifestOptions& options, Context& context);

}  // namespace plimsoll::cli
