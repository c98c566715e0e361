#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/explain/cluster_snapshot.h"
#include "client/client.h"

namespace plimsoll::cli {

/// Returns the node after the change, or the node itself if there is nothing to change.
using ChangeOfNode = std::function<Result<ObjectPtr>(const ObjectPtr&)>;

/// Writes the change of the node. The patch carries the resource version, so that it overwrites
/// nobody else's change. On a conflict the node is read and changed again, a few times. Returns
/// false if the node needed no change.
Result<bool> WriteNode(const client::Client& client, ObjectPtr node, const ChangeOfNode& change,
                       const std::string& field_manager);

}  // namespace plimsoll::cli
