#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// One named health check. `check` is called by many threads.
struct HealthCheck {
  std::string name;
  std::function<Status()> check;
};

/// Serves /healthz, /livez and /readyz, with `?verbose`, `?exclude=` and a path per check, as
/// upstream. The reason of a failure goes only to the log, since these paths are open to everyone.
class Health {
 public:
  explicit Health(Logger& log) : log_(log) {}

  /// Add checks before the first request. A live server may still not be ready.
  void AddLive(HealthCheck check);
  void AddReady(HealthCheck check);

  /// Makes /readyz fail from now on, so that clients use another server.
  void BeginShutdown() { is_shutting_down_ = true; }

  /// Returns true if the path belongs to a health endpoint.
  bool Owns(std::string_view path) const;
  net::Response Serve(const net::Target& target) const;

 private:
  std::vector<const HealthCheck*> ChecksOf(std::string_view endpoint) const;

  Logger& log_;
  std::vector<HealthCheck> live_;
  std::vector<HealthCheck> ready_;
  std::atomic<bool> is_shutting_down_ = false;
  HealthCheck shutdown_{"shutdown", [this]() -> Status {
                          if (!is_shutting_down_) return {};
                          return Fail(Reason::ServiceUnavailable, "the server is shutting down");
                        }};
};

}  // namespace plimsoll::apiserver
