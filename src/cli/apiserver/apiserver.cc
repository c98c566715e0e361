#include "cli/apiserver/apiserver.h"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "apiserver/admission/admission_config.h"
#include "base/async.h"
#include "base/file.h"
#include "base/go_duration.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "base/text/ascii.h"
#include "base/time_arithmetic.h"
#include "cli/components/component_metrics.h"
#include "cli/flags/duration_flag.h"
#include "cli/output/failure.h"
#include "service/host_name.h"
#include "service/sd_notify.h"
#include "service/signals.h"

namespace plimsoll::cli {
namespace {

/// Minimum free disk space at start. With less, the disk would be full within an hour.
constexpr std::uint64_t kFreeBytesMin = 32U << 20U;

void PrintTour(const apiserver::Instance& server, std::ostream& out) {
  out << "Plimsoll's API server runs on https://127.0.0.1:" << server.port() << ".\n\n"
      << "  export KUBECONFIG=" << server.kubeconfig_path() << "\n\n"
      << "Then try:\n"
         "  kubectl create namespace shop\n"
         "  kubectl apply -f examples/tour/\n"
         "  kubectl get nodes,pods -o wide\n"
         "  kubectl taint nodes spot-1 failure-probability=5:NoSchedule --overwrite\n"
         "  kubectl explain pod.spec.tolerations.operator\n\n"
      << "Ctrl-C stops it; the data stays, and the next start finds it.\n"
      << std::flush;
}

Status Serve(const ApiserverOptions& options, Context& context) {
  const apiserver::InstanceOptions instance = PL_TRY(InstanceOptionsOf(options));
  const service::DataDirectory directory = PL_TRY(ClaimDirectory(options));
  service::ShutdownSignals signals(service::ShutdownSignals::Hangup::Reloads);
  RealClock clock;
  ComponentMetrics metrics;
  const std::unique_ptr<apiserver::Instance> server =
      PL_TRY(apiserver::Instance::Start(instance, clock, context.log, metrics.registry()));
  PL_LOG(context.log, Info(), "Serving securely", {"address", instance.address},
         {"port", server->port()}, {"kubeconfig", server->kubeconfig_path()});
  WarnOfInsecurePort(*server, context.err);
  if (options.is_tour) PrintTour(*server, context.out);
  service::NotifyServiceManager("READY=1");
  const int signal = signals.Wait([&] {
    PL_LOG(context.log, Info(), "Reloading", {"signal", SIGHUP});
    server->Reload();
  });
  PL_LOG(context.log, Info(), "Shutting down", {"signal", signal});
  service::NotifyServiceManager("STOPPING=1");
  server->Drain(std::chrono::seconds(options.shutdown_seconds));
  return {};
}

Result<store::EtcdOptions> EtcdOptionsOf(const ApiserverOptions& options) {
  if (options.etcd_servers.empty()) return store::EtcdOptions();
  if (options.is_fresh) {
    return Fail(Reason::Invalid, "--fresh empties the data directory, but not --etcd-servers");
  }
  return ReadEtcdOptions(options.etcd_servers, options.etcd);
}

/// Returns Invalid unless the name is a word that needs no quotes on a command line.
Status CheckClusterName(std::string_view name) {
  constexpr std::size_t kNameMax = 63;
  const auto is_allowed = [](char c) {
    return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.';
  };
  const bool is_good = !name.empty() && name.size() <= kNameMax && name.front() != '-' &&
                       std::ranges::all_of(name, is_allowed);
  if (is_good) return {};
  return FailAt(Reason::Invalid, "--cluster-name",
                "want 1 to 63 letters, digits, '-', '_' or '.', not beginning with '-', got \"" +
                    std::string(name) + "\"");
}

Result<Duration> TokenLifetimeOf(std::string_view text) {
  constexpr Duration kMin = std::chrono::hours(1);
  constexpr Duration kMax = std::chrono::seconds(std::int64_t{1} << 32);
  const std::optional<Duration> lifetime = ParseGoDuration(text);
  if (!lifetime || *lifetime < kMin || *lifetime > kMax) {
    return Fail(Reason::Invalid,
                "the service-account-max-token-expiration must be between 1 hour and 2^32 seconds");
  }
  return *lifetime;
}

/// Paths in the file are relative to its directory, as in upstream.
Result<apiserver::PodSecurityOptions> ReadAdmissionConfig(const std::string& path) {
  if (path.empty()) return apiserver::PodSecurityOptions();
  const std::string text = PL_TRY(ReadFile(path));
  auto read = apiserver::ParseAdmissionConfig(text, [&](const std::string& of_plugin) {
    return ReadFile((std::filesystem::path(path).parent_path() / of_plugin).string());
  });
  if (!read) {
    return Fail(Reason::Invalid,
                "--admission-control-config-file: cannot use " + path + ": " + read.error().Text());
  }
  return *std::move(read);
}

}  // namespace

void WarnOfInsecurePort(const apiserver::Instance& server, std::ostream& err) {
  if (server.insecure_port() == 0) return;
  err << "WARNING: --insecure-loopback-port is on: every process and user of this machine is "
         "cluster administrator at http://127.0.0.1:"
      << server.insecure_port() << ", without a login.\n"
      << std::flush;
}

Result<apiserver::InstanceOptions> InstanceOptionsOf(const ApiserverOptions& options) {
  apiserver::InstanceOptions instance;
  PL_TRY(CheckClusterName(options.cluster_name));
  instance.cluster_name = options.cluster_name;
  instance.accepts_data_loss = options.accepts_data_loss;
  instance.quota_bytes = options.quota_bytes;
  if (options.scrub_interval != "0" && options.scrub_interval != "0s") {
    instance.scrub_interval = PL_TRY(ParseDurationFlag("--scrub-interval", options.scrub_interval));
  }
  instance.encryption_config = options.encryption_config;
  instance.reloads_encryption_config = options.reloads_encryption_config;
  instance.etcd = PL_TRY(EtcdOptionsOf(options));
  instance.data_directory = std::filesystem::absolute(options.data_directory).string();
  instance.is_stored_in_memory = options.store == "memory";
  instance.address = options.address;
  instance.port = options.port;
  instance.names = options.names;
  for (const std::string& name : {service::HostName(), options.address}) {
    if (!name.empty() && name != "0.0.0.0" && name != "::") instance.names.push_back(name);
  }
  instance.insecure_port = options.insecure_port;
  PL_TRY(SetAuthOptions(options.auth, instance));
  instance.audit = PL_TRY(AuditOptionsOf(options.audit));
  instance.threads = std::max(2, HardwareThreads());
  instance.seed = UnpredictableSeed();
  instance.has_profiling = options.has_profiling;
  PL_TRY(instance.gates.Apply(options.feature_gates));
  instance.runtime_config = PL_TRY(apiserver::RuntimeConfig::Parse(options.runtime_config));
  instance.bodies = {static_cast<std::uint64_t>(options.body_bytes_max),
                     static_cast<std::uint64_t>(options.body_bytes_per_user_max)};
  instance.watches_per_user_max = options.watches_per_user_max;
  instance.connections_max = options.connections_max;
  instance.connections_per_address_max = options.connections_per_address_max;
  instance.fairness.reading_max = options.reading_max;
  instance.fairness.mutating_max = options.mutating_max;
  instance.fairness.is_enabled = options.has_fairness;
  instance.admission.tolerations = {options.not_ready_seconds, options.unreachable_seconds};
  instance.admission.pod_security = PL_TRY(ReadAdmissionConfig(options.admission_config_file));
  instance.event_lifetime = SaturatingSeconds(options.event_ttl_seconds);
  instance.authentication.service_accounts.token_lifetime_max =
      PL_TRY(TokenLifetimeOf(options.token_lifetime_max));
  return instance;
}

Result<service::DataDirectory> ClaimDirectory(const ApiserverOptions& options) {
  const bool is_elsewhere = options.store == "memory" || !options.etcd_servers.empty();
  return service::DataDirectory::Claim({.path = options.data_directory,
                                        .is_fresh = options.is_fresh,
                                        .free_bytes_min = is_elsewhere ? 0 : kFreeBytesMin});
}

int RunApiserver(const ApiserverOptions& options, Context& context) {
  const Status status = Serve(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
