#include "cli/up/control_plane.h"

#include <utility>

#include "base/random.h"
#include "base/real_clock.h"
#include "cli/up/create_missing.h"
#include "cli/up/demo.h"
#include "cli/up/readiness.h"
#include "net/client.h"
#include "service/host_name.h"

namespace plimsoll::cli {
namespace {

/// Maximum number of concurrent calls of the controllers. They only wait for the disk, and more
/// waiting calls share one fsync. No connection or other client is affected.
constexpr std::size_t kLocalCallsMax = 512;

const net::LocalIdentity kControllerManager{"system:kube-controller-manager",
                                            {"system:authenticated", "system:masters"}};

Result<std::vector<ManifestText>> ManifestTextsOf(const UpOptions& options, Context& context) {
  std::vector<ManifestText> texts = PL_TRY(ReadManifestTexts(options.manifests, context.in));
  PL_TRY(CheckManifests(texts));
  if (options.is_demo) texts.push_back({"<demo>", std::string(kDemoWorkloads)});
  return texts;
}

match::Rules RulesOf(const api::FeatureGates& gates) {
  return match::Rules::From(gates,
                            &service::EvaluatorOf(service::ExpressionUser::ControllerManager));
}

/// Returns Invalid if the list names an unknown controller.
Status CheckControllers(const ControlPlaneConfig& config) {
  MetricsRegistry unused;
  const match::Rules rules = RulesOf(config.gates);
  PL_TRY(controller::MakeControllers(config.controllers,
                                     {config.gates, rules, unused, config.controller_settings}));
  return {};
}

}  // namespace

Result<ControlPlaneConfig> CheckControlPlane(const UpOptions& options, Context& context) {
  KubeletOptions kubelet = options.kubelet;
  kubelet.feature_gates = options.apiserver.feature_gates;
  SchedulerOptions scheduler = options.scheduler;
  scheduler.feature_gates = options.apiserver.feature_gates;
  const runner::SchedulerConfig written = PL_TRY(LoadSchedulerConfig(scheduler.config_path));
  ControlPlaneConfig config{
      .instance = PL_TRY(InstanceOptionsOf(options.apiserver)),
      .agents = PL_TRY(RunnerOptionsOf(kubelet, context.log)),
      .scheduler = PL_TRY(RunnerOptionsOf(written, scheduler)),
      .controllers = options.controllers.controllers,
      .controller_settings = PL_TRY(SettingsOf(options.controllers)),
      .gates = {},
      .manifests = {},
      .time_scale = options.time_scale,
  };
  // With a scaled clock, renewed certificates would have wrong validity times.
  if (options.time_scale != 1) config.instance.renewal_period = Duration::zero();
  PL_TRY(config.gates.Apply(options.apiserver.feature_gates));
  PL_TRY(CheckControllers(config));
  RealClock clock;
  PL_TRY(apiserver::Instance::Check(config.instance, clock, context.log));
  config.manifests = PL_TRY(ManifestTextsOf(options, context));
  return config;
}

ControlPlane::ControlPlane(const ControlPlaneConfig& config, Logger& log)
    : log_(log),
      clock_(std::make_unique<RealClock>(), config.time_scale),
      queues_(metrics_.registry(), SteadyTime),
      controller_cache_(metrics_.registry(), service::ExpressionUser::ControllerManager),
      kubelet_cache_(metrics_.registry(), service::ExpressionUser::Kubelet),
      gates_(config.gates),
      rules_(RulesOf(gates_)),
      manifests_(config.manifests) {
  for (const agent::HostedNode& node : config.agents.agent.nodes) nodes_.push_back(node.name);
}

Result<std::unique_ptr<ControlPlane>> ControlPlane::Start(ControlPlaneConfig config, Logger& log) {
  std::unique_ptr<ControlPlane> plane(new ControlPlane(config, log));
  PL_TRY(plane->Open(std::move(config)));
  return plane;
}

Status ControlPlane::Open(ControlPlaneConfig config) {
  runner::ControllerRunnerOptions controllers;
  controllers.controllers = PL_TRY(controller::MakeControllers(
      config.controllers,
      {gates_, rules_, metrics_.registry(), config.controller_settings, &queues_}));
  controllers.host = service::HostName();
  controllers.seed = UnpredictableSeed();
  controllers.calls_max = kLocalCallsMax;
  controllers.backlog = std::make_shared<runner::CallBacklog>();
  config.agents.yields_to = controllers.backlog;

  server_ = PL_TRY(apiserver::Instance::Start(config.instance, clock_, log_, metrics_.registry()));
  scheduler_client_ =
      ClientFor({.user = "system:kube-scheduler", .groups = {"system:authenticated"}});
  // Controllers write objects of every kind, and one agent manages many nodes.
  controller_client_ = ClientFor(kControllerManager);
  agent_client_ = ClientFor({.user = "plimsoll:kubelet", .groups = kControllerManager.groups});
  scheduler_ = runner::MakeSchedulerRunner(*scheduler_client_, std::move(config.scheduler), log_,
                                           metrics_.registry());
  controllers_ = runner::MakeControllerRunner(*controller_client_, std::move(controllers), log_);
  agents_ =
      runner::MakeAgentRunner(*agent_client_, std::move(config.agents), log_, metrics_.registry());
  scheduler_->Start();
  controllers_->Start();
  agents_->Start();
  PL_LOG(log_, Info(), "Serving securely", {"address", config.instance.address},
         {"port", server_->port()}, {"kubeconfig", server_->kubeconfig_path()});
  return {};
}

std::unique_ptr<client::Client> ControlPlane::ClientFor(net::LocalIdentity who) {
  client::ClientOptions options;
  options.user_agent = who.user;
  auto transport = net::ConnectLocally(server_->handler(), std::move(who));
  return std::make_unique<client::Client>(
      metrics_.requests().Meter(std::move(transport), "in-process"), clock_, options);
}

Status ControlPlane::CreateObjects(Context& context, const OnProgress& on_progress) {
  return CreateMissing(manifests_, *controller_client_, context, on_progress);
}

Status ControlPlane::AwaitReady(Duration time, const std::shared_ptr<client::StopSignal>& stop,
                                const OnProgress& on_progress) {
  const auto transport = net::ConnectLocally(server_->handler(), kControllerManager);
  return cli::AwaitReady({*transport, *controller_client_, nodes_}, time, stop, on_progress);
}

void ControlPlane::Stop(Duration drain) {
  agents_->Stop();
  controllers_->Stop();
  scheduler_->Stop();
  server_->Drain(drain);
}

}  // namespace plimsoll::cli
