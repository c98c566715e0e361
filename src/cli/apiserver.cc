#include "cli/apiserver.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "base/random.h"
#include "base/real_clock.h"
#include "base/worker_pool.h"
#include "cli/host.h"
#include "cli/signals.h"

namespace plimsoll::cli {
namespace {

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

}  // namespace

Result<apiserver::InstanceOptions> InstanceOptionsOf(const ApiserverOptions& options) {
  apiserver::InstanceOptions instance;
  instance.data_directory = std::filesystem::absolute(options.data_directory).string();
  instance.is_stored_in_memory = options.store == "memory";
  instance.address = options.address;
  instance.port = options.port;
  instance.names = options.names;
  for (const std::string& name : {HostName(), options.address}) {
    if (!name.empty() && name != "0.0.0.0" && name != "::") instance.names.push_back(name);
  }
  instance.insecure_port = options.insecure_port;
  instance.token_file = options.token_file;
  instance.audit_path = options.audit_path;
  instance.threads = std::max(2, HardwareThreads());
  instance.seed = UnpredictableSeed();
  PL_TRY(instance.gates.Apply(options.feature_gates));
  instance.limits = {options.reading_max, options.mutating_max};
  instance.admission.tolerations = {options.not_ready_seconds, options.unreachable_seconds};
  instance.event_lifetime = std::chrono::seconds(options.event_ttl_seconds);
  return instance;
}

int RunApiserver(const ApiserverOptions& options, Context& context) {
  const Result<apiserver::InstanceOptions> instance = InstanceOptionsOf(options);
  if (!instance) {
    context.err << "error: " << instance.error().Text() << '\n';
    return kExitUsage;
  }
  EndSignals signals;
  RealClock clock;
  MetricsRegistry metrics;
  const auto server = apiserver::Instance::Start(*instance, clock, context.log, metrics);
  if (!server) {
    context.err << "error: " << server.error().Text() << '\n';
    return kExitFindings;
  }
  PL_LOG(context.log, Info(), "Serving securely", {"address", instance->address},
         {"port", (*server)->port()}, {"kubeconfig", (*server)->kubeconfig_path()});
  if (options.is_tour) PrintTour(**server, context.out);
  const int signal = signals.Wait();
  PL_LOG(context.log, Info(), "Shutting down", {"signal", signal});
  (*server)->Drain(std::chrono::seconds(options.shutdown_seconds));
  return kExitOk;
}

}  // namespace plimsoll::cli
