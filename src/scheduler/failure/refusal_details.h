#pragma once

#include "api/action.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/failure/fault_log.h"
#include "scheduler/framework/diagnosis.h"

/// Explains a refusal in more detail than the plugins: names the toleration or label that could not
/// be compared.
namespace plimsoll::scheduler {

/// Adds the taints that TaintToleration refused nodes for, and logs tolerations that do not parse.
void AddTaintDetails(ClusterState& cluster, PodId pod, Diagnosis& diagnosis, FaultLog& log,
                     const api::Turn& turn);

/// Logs the labels of nodes that NodeAffinity refused because they do not parse.
void AddLabelDetails(ClusterState& cluster, PodId pod, Diagnosis& diagnosis, FaultLog& log,
                     const api::Turn& turn);

}  // namespace plimsoll::scheduler
