#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/output/progress.h"
#include "client/client.h"
#include "client/stop_signal.h"
#include "net/client.h"

namespace plimsoll::cli {

/// Parts of a control plane that must be ready.
struct ReadinessParts {
  net::Transport& transport;  // for /readyz
  const client::Client& client;
  const std::vector<std::string>& nodes;  // names
};

/// Blocks until the server answers /readyz with 200 and each of the nodes has been Ready. Timeout:
/// `stop` was stopped first, which happens after `time` of the client's clock. The text says what
/// is not ready. Calls `on_progress`, if set, with the number of Ready nodes when that changes.
Status AwaitReady(const ReadinessParts& parts, Duration time,
                  const std::shared_ptr<client::StopSignal>& stop,
                  const OnProgress& on_progress = {});

}  // namespace plimsoll::cli
