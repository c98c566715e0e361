#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll::service {

/// Deletes a data directory that no process has claimed. Succeeds if there is none.
///
/// Invalid, with the reason: the directory is not a server's, and nothing is deleted. A server's
/// directory has a lock, and every file below it has a name that servers give. So a wrong path
/// never costs anything else. ServiceUnavailable: a process uses the directory.
Status RemoveDataDirectory(const std::string& path);

}  // namespace plimsoll::service
