#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"
#include "service/connect.h"
#include "service/elected_service.h"
#include "service/leadership.h"
#include "service/secure_serving.h"
#include "service/signals.h"

namespace plimsoll::service {

/// A component that runs as a separate process: its work, and its secure port with health and
/// metrics endpoints.
struct Component {
  std::string name;  // kube-scheduler
  ElectedService::Work work;
  std::function<bool()> has_synced;
  SecureServingOptions serving;
  std::string kubeconfig;  // for token and access reviews, unless `serving` names another
};

/// Returns the component that starts and stops `runner`, which must outlive it.
template <class Runner>
Component ComponentOf(Runner& runner, std::string name, SecureServingOptions serving,
                      std::string kubeconfig) {
  return {.name = std::move(name),
          .work = {.start = [&runner] { runner.Start(); }, .stop = [&runner] { runner.Stop(); }},
          .has_synced = [&runner] { return runner.HasSynced(); },
          .serving = std::move(serving),
          .kubeconfig = std::move(kubeconfig)};
}

/// Environment of a component. All members must outlive it.
struct ComponentEnvironment {
  ShutdownSignals& signals;  // created before any thread
  Clock& clock;
  MetricsRegistry& metrics;
  Logger& log;
};

/// Reason why a component ended.
enum class EndReason : std::uint8_t { Signal, LeadershipLost };

/// Runs a component until a signal, or until it loses leadership. Without `leadership` it runs
/// without an election.
Result<EndReason> RunComponent(const Component& component,
                               const std::optional<Leadership>& leadership,
                               const ComponentClients& clients, const ComponentEnvironment& in);

}  // namespace plimsoll::service
