#pragma once

#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/context.h"
#include "cli/explain.h"
#include "cli/explain_cluster.h"

namespace plimsoll::cli {

/// A pod, and all that a scheduler would know of its cluster. The pod may be among the objects.
struct ExplainQuestion {
  ObjectPtr pod;
  std::vector<ObjectPtr> objects;
};

/// From the files when there are nodes in them, or else from the server; the files then give a pod
/// that it need not have yet. NotFound: no such pod, and which names come near.
Result<ExplainQuestion> AskFor(const ExplainOptions& options, Clock& clock, Context& context);

}  // namespace plimsoll::cli
