#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Changes that a user makes to evictions.
enum class EvictionChange : std::uint8_t { Pause, Resume, Cancel };

struct EvictionChangeOptions {
  std::vector<std::string> words;  // name of the policy, or [pod] NAME
  std::string namespace_;
  std::string kubeconfig;
  std::string kube_context;  // empty: the current one
  std::string feature_gates;
};

void AddEvictionChangeFlags(CLI::App& command, EvictionChange change,
                            EvictionChangeOptions& options);

/// Pauses or resumes an EvictionPolicy. Cancel withdraws the eviction requests of Plimsoll for a
/// pod. If there are none, it prints the changes that would let the pod stay, and returns
/// kExitFindings.
int RunEvictionChange(EvictionChange change, const EvictionChangeOptions& options,
                      Context& context);

}  // namespace plimsoll::cli
