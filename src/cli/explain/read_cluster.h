#pragma once

#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/context.h"
#include "cli/explain/cluster_snapshot.h"
#include "cli/explain/explain.h"

namespace plimsoll::cli {

/// A pod, and everything that a scheduler would know of its cluster, possibly including the pod.
struct ExplainInput {
  ObjectPtr pod;
  std::vector<ObjectPtr> objects;
};

/// Reads the cluster from the files if they contain nodes, else from the server. In the latter case
/// a pod from the files need not exist there. NotFound suggests similar names.
Result<ExplainInput> ReadExplainInput(const ExplainOptions& options, Clock& clock,
                                      Context& context);

}  // namespace plimsoll::cli
