#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "client/client.h"

namespace plimsoll::cli {

/// Creates the objects of files and directories that the server does not have yet; what it has
/// stays as it is. Objects without a namespace go to `default`. Invalid, with file and line: what
/// cannot be read or is refused.
Status CreateMissing(const std::vector<std::string>& paths, const client::Client& client,
                     Context& context);

}  // namespace plimsoll::cli
