#pragma once

#include "cli/kubelet.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// The flags of `kubelet` that say which nodes there are and how they behave: what another command
/// that runs nodes takes too.
void AddNodeFlags(CLI::App& command, KubeletOptions& options);

/// All flags of `kubelet`.
void AddKubeletFlags(CLI::App& command, KubeletOptions& options);

}  // namespace plimsoll::cli
