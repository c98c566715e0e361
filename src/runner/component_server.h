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
  std::uint16_t port = 0;     // 0: any free port
  std::string name;           // name of the component, in its certificate
  std::string client_ca_pem;  // --client-ca-file: CA of client certificates; empty: none accepted
  bool has_profiling = true;  // /debug/pprof/
};

/// The secure port of a component: /healthz, /livez, /readyz, /metrics and, unless disabled,
/// /debug/pprof/ over TLS. It makes a self-signed certificate at each start, as upstream's
/// components do, and renews it while it runs. DelegatedAuth decides who may read which path.
class ComponentServer {
 public:
  /// `is_ready` may be called by any thread. The references must outlive the server.
  static Result<std::unique_ptr<ComponentServer>> Start(const ComponentServerOptions& options,
                                                        Clock& clock, Logger& log,
                                                        const MetricsRegistry& metrics,
                                                        DelegatedAuth& auth,
                                                        std::function<bool()> is_ready);
  ~ComponentServer();

  std::uint16_t port() const;

 private:
  class Pages;
  class Renewal;
  explicit ComponentServer(std::unique_ptr<Pages> pages);

  std::unique_ptr<Pages> pages_;
  std::unique_ptr<net::Server> server_;  // destroyed before the pages
  std::unique_ptr<Renewal> renewal_;     // destroyed before the server
};

}  // namespace plimsoll::runner
