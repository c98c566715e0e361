#include "cli/scheduler.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <ostream>
#include <utility>

#include "base/file.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "cli/evaluator.h"
#include "cli/host.h"
#include "cli/signals.h"
#include "client/kubeconfig.h"
#include "client/leader_election.h"
#include "runner/component_server.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kUserAgent = "plimsoll-scheduler";

Result<std::unique_ptr<client::Client>> ConnectBy(const std::string& kubeconfig, Clock& clock) {
  if (kubeconfig.empty()) {
    return Fail(Reason::Invalid,
                "no server to talk to: name its kubeconfig with --kubeconfig, or with "
                "clientConnection.kubeconfig in the file of --config");
  }
  const client::Kubeconfig config = PL_TRY(client::ReadKubeconfig(kubeconfig));
  const client::ClusterAccess access = PL_TRY(client::Resolve(config));
  client::ClientOptions options;
  options.user_agent = kUserAgent;
  return client::Connect(access, clock, options);
}

client::LeaderElectionOptions ElectionOptionsOf(const runner::LeaderElectionConfig& config,
                                                std::uint64_t seed) {
  client::LeaderElectionOptions options;
  options.lease_namespace = config.resource_namespace;
  options.lease_name = config.resource_name;
  options.identity = HostName() + "_" + std::to_string(seed);
  options.lease_duration = config.lease_duration;
  options.renew_deadline = config.renew_deadline;
  options.retry_period = config.retry_period;
  options.seed = seed;
  return options;
}

/// The scheduler with what decides whether it may run.
class Service {
 public:
  Service(const client::Client& client, runner::SchedulerRunnerOptions options,
          const runner::LeaderElectionConfig& election, Logger& log, MetricsRegistry& metrics)
      : log_(log), runner_(client, std::move(options), log, metrics) {
    if (!election.leader_elect) return;
    client::LeaderCallbacks callbacks;
    callbacks.on_started_leading = [this] { runner_.Start(); };
    callbacks.on_stopped_leading = [this] { OnLost(); };
    elector_ = std::make_unique<client::LeaderElector>(
        client, ElectionOptionsOf(election, UnpredictableSeed()), std::move(callbacks), log);
  }

  void Start() {
    if (elector_ != nullptr) {
      elector_->Start();
    } else {
      runner_.Start();
    }
  }
  /// First nothing is sent any more, then others may lead.
  void Stop() {
    is_ending_ = true;
    runner_.Stop();
    if (elector_ != nullptr) elector_->Stop();
  }
  bool has_lost() const { return has_lost_; }
  bool IsReady() const { return elector_ != nullptr || runner_.HasSynced(); }

 private:
  /// Another may lead from now on, so this process ends: nothing that it still has in mind may
  /// reach the server.
  void OnLost() {
    if (is_ending_) return;
    PL_LOG(log_, Error(), "Leaderelection lost");
    has_lost_ = true;
    kill(getpid(), SIGTERM);
  }

  Logger& log_;
  std::atomic<bool> is_ending_ = false;
  std::atomic<bool> has_lost_ = false;
  runner::SchedulerRunner runner_;
  std::unique_ptr<client::LeaderElector> elector_;
};

Status Serve(const SchedulerOptions& options, Context& context, bool& has_lost) {
  const runner::SchedulerConfig config = PL_TRY(LoadSchedulerConfig(options.config_path));
  runner::SchedulerRunnerOptions runner_options = PL_TRY(RunnerOptionsOf(config, options));
  runner::LeaderElectionConfig election = config.leader_election;
  election.leader_elect = options.leader_elect.value_or(election.leader_elect);
  if (election.leader_elect) PL_TRY(client::Check(ElectionOptionsOf(election, 1)));

  EndSignals signals;
  RealClock clock;
  MetricsRegistry metrics;
  const std::unique_ptr<client::Client> client =
      PL_TRY(ConnectBy(options.kubeconfig.empty() ? config.kubeconfig : options.kubeconfig, clock));
  Service service(*client, std::move(runner_options), election, context.log, metrics);
  std::unique_ptr<runner::ComponentServer> pages;
  if (options.port != 0) {
    pages = PL_TRY(runner::ComponentServer::Start(
        {.address = options.address, .port = options.port, .name = "kube-scheduler"}, clock,
        context.log, metrics, [&service] { return service.IsReady(); }));
  }
  service.Start();
  PL_LOG(context.log, Info(), "Scheduler runs", {"leaderElect", election.leader_elect});
  const int signal = signals.Wait();
  PL_LOG(context.log, Info(), "Shutting down", {"signal", signal});
  pages.reset();
  service.Stop();
  has_lost = service.has_lost();
  return {};
}

}  // namespace

Result<runner::SchedulerConfig> LoadSchedulerConfig(const std::string& path) {
  if (path.empty()) return runner::SchedulerConfig();
  const std::string text = PL_TRY(ReadFile(path));
  Result<runner::SchedulerConfig> config = runner::ParseSchedulerConfig(text);
  if (!config) {
    return FailAt(config.error().reason, config.error().field,
                  config.error().message + " (in " + path + ")");
  }
  return config;
}

Result<runner::SchedulerRunnerOptions> RunnerOptionsOf(const runner::SchedulerConfig& config,
                                                       const SchedulerOptions& options) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  runner::SchedulerRunnerOptions out;
  out.host = HostName();
  out.seed = UnpredictableSeed();
  scheduler::SchedulerOptions& core = out.scheduler;
  core.profiles = runner::MakeProfiles(config, options.taint_details == "shown");
  core.rules = match::Rules::From(gates, &SharedEvaluator());
  core.backoff_initial = std::chrono::seconds(config.backoff_initial_seconds);
  core.backoff_max = std::chrono::seconds(config.backoff_max_seconds);
  core.seed = UnpredictableSeed();
  core.stopwatch = SteadyTime;
  return out;
}

int RunScheduler(const SchedulerOptions& options, Context& context) {
  bool has_lost = false;
  const Status status = Serve(options, context, has_lost);
  if (!status) {
    context.err << "error: " << status.error().Text() << '\n';
    const Reason reason = status.error().reason;
    return reason == Reason::Invalid || reason == Reason::BadRequest ? kExitUsage : kExitFindings;
  }
  return has_lost ? kExitFindings : kExitOk;
}

}  // namespace plimsoll::cli
