#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/demo/narrator.h"
#include "client/client.h"
#include "client/stop_signal.h"

namespace plimsoll::cli {

/// Cluster and listeners of the story. All references must outlive it.
struct StoryParts {
  const client::Client& client;
  const Clock& cluster_clock;  // time of the cluster, which may run faster
  Narrator& narrator;
  std::shared_ptr<client::StopSignal> stop;  // ends the story with Timeout
  /// Explains why a pod is where it is and not on another node.
  std::function<Status(const std::string& pod, const std::string& other_node)> explain;
  bool restores_taint = false;  // set the old value at the end, because the cluster stays
};

/// Raises the risk of a node above the line of the payments on it, and follows them to other nodes.
/// Needs the workloads of `up --demo`. Returns Ok only if each step has happened as told.
Status PlayStory(const StoryParts& parts);

}  // namespace plimsoll::cli
