#pragma once

#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/manifest/manifest_text.h"
#include "cli/output/progress.h"
#include "client/client.h"

namespace plimsoll::cli {

/// Returns Invalid, with file and line, if an object does not decode.
Status CheckManifests(const std::vector<ManifestText>& texts);

/// Creates the objects that the server does not have yet; existing ones are left unchanged. Objects
/// without namespace go to `default`. Returns Invalid, with file and line, for objects that do not
/// parse or that the server rejects. Calls `on_progress`, if set, before each object.
Status CreateMissing(const std::vector<ManifestText>& texts, const client::Client& client,
                     Context& context, const OnProgress& on_progress = {});

}  // namespace plimsoll::cli
