#pragma once

#include <string_view>
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

/// A kind of object that `plimsoll explain` explains.
struct SubjectKind {
  std::string_view word;  // in commands and messages: deployment
  std::string_view group;
  std::string_view version;
  std::string_view kind;
};

/// An object to explain, and its cluster.
struct SubjectInput {
  ObjectPtr subject;
  std::vector<ObjectPtr> objects;
};

/// Same as ReadExplainInput, for an object of this kind. A namespaced object comes with the pods
/// of its namespace that have ended, and with the templates of claims.
Result<SubjectInput> ReadSubject(const ExplainOptions& options, const SubjectKind& kind,
                                 Clock& clock, Context& context);

/// Reads the cluster from the files if there are any, else from the server.
Result<std::vector<ObjectPtr>> ReadClusterObjects(const ExplainOptions& options, Clock& clock,
                                                  Context& context);

}  // namespace plimsoll::cli
