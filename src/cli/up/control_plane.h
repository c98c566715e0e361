#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/feature_gates.h"
#include "apiserver/server/instance.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/scaled_clock.h"
#include "cli/components/component_metrics.h"
#include "cli/context.h"
#include "cli/manifest/manifest_text.h"
#include "cli/output/progress.h"
#include "cli/up/up.h"
#include "client/client.h"
#include "client/stop_signal.h"
#include "controller/registry.h"
#include "controller/work_queue_metrics.h"
#include "match/rules.h"
#include "runner/components.h"
#include "service/expression_evaluators.h"

namespace plimsoll::cli {

/// Everything that the flags and files of `plimsoll up` request, read and checked.
struct ControlPlaneConfig {
  apiserver::InstanceOptions instance;
  runner::AgentRunnerOptions agents;
  runner::SchedulerRunnerOptions scheduler;
  std::string controllers;  // --controllers
  controller::ControllerSettings controller_settings;
  api::FeatureGates gates;
  std::vector<ManifestText> manifests;
  std::int64_t time_scale = 1;
};

/// Reads and checks all flags and files, as far as that is possible without a server. Writes
/// nothing to the disk.
Result<ControlPlaneConfig> CheckControlPlane(const UpOptions& options, Context& context);

/// A whole control plane in this process: API server, scheduler, controllers and simulated nodes.
class ControlPlane {
 public:
  /// Returns when the server listens; the other parts work from then on. REQUIRES: the data
  /// directory is claimed. The log must outlive the control plane.
  static Result<std::unique_ptr<ControlPlane>> Start(ControlPlaneConfig config, Logger& log);
  ~ControlPlane() = default;
  ControlPlane(const ControlPlane&) = delete;
  ControlPlane& operator=(const ControlPlane&) = delete;

  Clock& clock() { return clock_; }
  apiserver::Instance& server() { return *server_; }
  const client::Client& admin() const { return *controller_client_; }

  /// Creates the objects of the configuration that the server does not have.
  Status CreateObjects(Context& context, const OnProgress& on_progress = {});
  /// Blocks until the server is ready and all simulated nodes are Ready. Returns Timeout after
  /// `time` of the cluster, or when `stop` is stopped.
  Status AwaitReady(Duration time, const std::shared_ptr<client::StopSignal>& stop,
                    const OnProgress& on_progress = {});
  /// Stops all parts. Requests in flight may finish within `drain`. Call it once.
  void Stop(Duration drain);

 private:
  ControlPlane(const ControlPlaneConfig& config, Logger& log);
  Status Open(ControlPlaneConfig config);
  std::unique_ptr<client::Client> ClientFor(net::LocalIdentity who);

  Logger& log_;
  ScaledClock clock_;
  ComponentMetrics metrics_;
  controller::WorkQueueMetrics queues_;
  service::ExpressionCacheMetrics controller_cache_;
  service::ExpressionCacheMetrics kubelet_cache_;
  const api::FeatureGates gates_;
  const match::Rules rules_;
  std::vector<ManifestText> manifests_;
  std::vector<std::string> nodes_;  // names of the simulated nodes
  std::unique_ptr<apiserver::Instance> server_;
  // Clients, which end before the server, and runners, which end before their clients.
  std::unique_ptr<client::Client> scheduler_client_;
  std::unique_ptr<client::Client> controller_client_;
  std::unique_ptr<client::Client> agent_client_;
  std::unique_ptr<runner::Runner> scheduler_;
  std::unique_ptr<runner::Runner> controllers_;
  std::unique_ptr<runner::Runner> agents_;
};

}  // namespace plimsoll::cli
