#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/preview/drain_plan.h"
#include "cli/preview/preview_cluster.h"
#include "client/client.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct DrainOptions {
  std::vector<std::string> nodes;
  std::string selector;
  bool is_forced = false;          // also evict pods that no controller creates again
  bool deletes_empty_dir = false;  // also evict pods whose emptyDir volumes lose their data
  std::string timeout = "0s";      // 0: no limit
  std::optional<std::int64_t> grace_seconds;  // unset: that of each pod
  PreviewOptions preview;
};

void AddDrainFlags(CLI::App& command, DrainOptions& options);

/// Cordons nodes and evicts their pods through pods/eviction, after showing where they would run
/// and asking.
int RunDrain(const DrainOptions& options, Context& context);

/// Time for EvictAll, which tests replace.
struct DrainClock {
  std::function<Instant()> now;
  std::function<void(Duration)> wait;
};

/// Evicts the pods and waits until they are gone. An eviction that a budget refuses (429) is tried
/// again until the time is over. Then returns Timeout with the names of the pods that are left.
Status EvictAll(const DrainPlan& plan, const DrainOptions& options, Duration timeout,
                const client::Client& client, const DrainClock& clock, Context& context);

}  // namespace plimsoll::cli
