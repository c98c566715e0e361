#pragma once

#include <iosfwd>
#include <string>

#include "base/result.h"
#include "client/client.h"
#include "store/transfer.h"

namespace plimsoll::cli {

/// Saves all objects of a running server in a file that `snapshot restore` reads. All lists are of
/// one revision, that of the first list, whatever is written meanwhile. Resources that the server
/// does not serve are named on `err` and left out. Invalid: the server is not ours. Expired: the
/// server has compacted that revision before the last list.
Result<store::Transferred> SaveServerSnapshot(const client::Client& client, const std::string& path,
                                              std::ostream& err);

}  // namespace plimsoll::cli
