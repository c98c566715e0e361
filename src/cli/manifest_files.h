#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/manifest.h"

namespace plimsoll::cli {

/// All objects of the paths, of which none may be at fault: BadRequest with file and line. Objects
/// come from a live server as often as from a file, and it may know fields that this program does
/// not, so these are told of and let pass.
Result<std::vector<Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                            const ManifestOptions& options, Context& context);

}  // namespace plimsoll::cli
