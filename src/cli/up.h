#pragma once

#include <string>

#include "cli/apiserver.h"
#include "cli/context.h"
#include "cli/scheduler.h"

namespace plimsoll::cli {

struct UpOptions {
  ApiserverOptions apiserver;
  SchedulerOptions scheduler;  // of which the configuration and the taint details count
  std::string controllers = "*";
};

/// The whole control plane in one process, until SIGINT or SIGTERM.
int RunUp(const UpOptions& options, Context& context);

}  // namespace plimsoll::cli
