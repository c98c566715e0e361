#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/context.h"
#include "cli/explain/cluster_snapshot.h"

namespace plimsoll::cli {

/// Pods and nodes, from files or from a server.
struct PlacementObjects {
  std::vector<ObjectPtr> pods;   // by namespace and name
  std::vector<ObjectPtr> nodes;  // by name
  std::string namespace_;        // of the kubeconfig's context; empty with files
};

/// Reads the pods and nodes of the files, or of the server if there are none. On a stock server,
/// pods are read with their plimsoll.io annotations. Pods that have ended are left out.
Result<PlacementObjects> ReadPlacementObjects(const std::vector<std::string>& files,
                                              const std::string& kubeconfig,
                                              const std::string& kube_context, Clock& clock,
                                              Context& context);

/// Returns the rules of the feature gates, with an evaluator of expressions.
Result<match::Rules> RulesOf(const std::string& feature_gates);

/// Keeps the objects with these names, and those that the selector matches. Returns NotFound for a
/// name that no object has. `word` is the kind's name in messages.
Result<std::vector<ObjectPtr>> SelectObjects(const std::vector<ObjectPtr>& objects,
                                             const std::vector<std::string>& names,
                                             const std::string& selector, std::string_view word);

}  // namespace plimsoll::cli
