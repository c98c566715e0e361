#pragma once

#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "client/client.h"
#include "store/transfer.h"

namespace plimsoll::cli {

/// Saves all objects of a running server to a file for `snapshot restore`. All lists use the
/// revision of the first list, despite concurrent writes. Warns of resources that the server does
/// not serve. Returns Invalid if the server is not plimsoll. Returns Expired if the revision
/// was compacted before the last list.
Result<store::Transferred> SaveServerSnapshot(const client::Client& client, const std::string& path,
                                              Context& context);

}  // namespace plimsoll::cli
