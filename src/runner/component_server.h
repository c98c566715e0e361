#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"
#include "net/server.h"

namespace plimsoll::runner {

struct ComponentServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  std::string name;        // of the component, in its certificate
};

/// What a component shows of itself: /healthz, /livez, /readyz and /metrics, over TLS with a
/// certificate that it makes itself at each start, as upstream's do. There is no log-in, so it is
/// for loopback or a network that is trusted.
class ComponentServer {
 public:
  /// `is_ready` is asked by any thread. The references must outlive it.
  static Result<std::unique_ptr<ComponentServer>> Start(const ComponentServerOptions& options,
                                                        const Clock& clock, Logger& log,
                                                        const MetricsRegistry& metrics,
                                                        std::function<bool()> is_ready);
  ~ComponentServer();

  std::uint16_t port() const;

 private:
  class Pages;
  explicit ComponentServer(std::unique_ptr<Pages> pages);

  std::unique_ptr<Pages> pages_;
  std::unique_ptr<net::Server> server_;  // ends first
};

}  // namespace plimsoll::runner
