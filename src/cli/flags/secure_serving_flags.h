#pragma once

#include "service/secure_serving.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// For components with a secure port for health and metrics.
void AddSecureServingFlags(CLI::App& command, service::SecureServingOptions& options);

}  // namespace plimsoll::cli
