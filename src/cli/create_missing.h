#pragma once

#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/source.h"
#include "client/client.h"

namespace plimsoll::cli {

/// Creates the objects of manifests that the server does not have yet; what it has stays as it is.
/// Objects without a namespace go to `default`. Invalid, with file and line: what cannot be read or
/// is refused.
Status CreateMissing(const std::vector<Source>& sources, const client::Client& client,
                     Context& context);

}  // namespace plimsoll::cli
