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
#include "runner/delegated_auth.h"

namespace plimsoll::runner {

struct ComponentServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;     // 0: any free one
  std::string name;           // of the component, in its certificate
  std::string client_ca_pem;  // --client-ca-file: who signs client certificates; empty: nobody
  bool has_profiling = true;  // /debug/pprof/
};

/// The secure port of a component: /healthz, /livez, /readyz, /metrics and, unless switched off,
/// /debug/pprof/ over TLS, with a self-signed certificate that it makes at each start, as
/// upstream's components do. DelegatedAuth decides who may read which path.
class ComponentServer {
 public:
  /// `is_ready` is called by any thread. The references must outlive the server.
  static Result<std::unique_ptr<ComponentServer>> Start(const ComponentServerOptions& options,
                                                        const Clock& clock, Logger& log,
                                                        const MetricsRegistry& metrics,
                                                        DelegatedAuth& auth,
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
