#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll::service {

/// Deletes a data directory that no process has claimed. Succeeds if there is none.
///
/// Deletes nothing and returns Invalid, with the reason, unless the directory is a server's: it has
/// a lock, and every file below it has a name that servers give. So a wrong path never costs
/// anything else. ServiceUnavailable: a process uses the directory.
Status RemoveDataDirectory(const std::string& path);

}  // namespace plimsoll::service
