#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/schema/schema.h"
#include "base/time.h"

namespace plimsoll::cli {

/// A question of a completion to the API server, or to the kubeconfig.
struct NamesRequest {
  enum class Kind : std::uint8_t {
    Pod,
    Node,
    Namespace,
    DeviceClass,
    Driver,
    Device,  // DRIVER/POOL/DEVICE
    Object,  // of the kind `object`
    Context,
  };

  Kind kind = Kind::Pod;
  const api::KindDesc* object = nullptr;
  std::string kubeconfig;  // values of the flags on the command line
  std::string context;
  std::string namespace_;  // empty: the namespace of the context
};

/// Returns the names of objects; empty if they cannot be found out.
using ServerNames = std::function<std::vector<std::string>(const NamesRequest&)>;

/// Maximum time that a completion waits for the API server.
inline constexpr Duration kCompletionTimeMax = std::chrono::milliseconds(900);

/// Asks the API server of the user's kubeconfig, or reads the contexts of the kubeconfig. Returns
/// nothing after `time_max`, and for any error. Ends the process if even the name of the server
/// cannot be resolved in that time.
std::vector<std::string> FindNames(const NamesRequest& request,
                                   Duration time_max = kCompletionTimeMax);

}  // namespace plimsoll::cli
