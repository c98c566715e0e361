#include "service/component.h"

#include <memory>

#include "runner/component_server.h"

namespace plimsoll::service {

Result<EndReason> RunComponent(const Component& component,
                               const std::optional<Leadership>& leadership,
                               const ComponentClients& clients, const ComponentEnvironment& in) {
  std::optional<Election> election;
  if (leadership) election.emplace(*leadership, *clients.election);
  ElectedService service(election ? &*election : nullptr, component.work, in.log);
  const SecureServingOptions& serving = component.serving;
  std::unique_ptr<SecureServingAuth> auth;
  std::unique_ptr<runner::ComponentServer> server;
  if (serving.port != 0) {
    auth = PL_TRY(SecureServingAuth::Make(serving, component.kubeconfig, in.clock));
    server = PL_TRY(runner::ComponentServer::Start({.address = serving.address,
                                                    .port = serving.port,
                                                    .name = component.name,
                                                    .client_ca_pem = auth->client_ca_pem(),
                                                    .has_profiling = serving.has_profiling},
                                                   in.clock, in.log, in.metrics, auth->auth(), [&] {
                                                     return service.is_elected() ||
                                                            component.has_synced();
                                                   }));
  }
  service.Start();
  PL_LOG(in.log, Info(), "Running", {"component", component.name},
         {"leaderElect", service.is_elected()});
  const int signal = in.signals.Wait();
  PL_LOG(in.log, Info(), "Shutting down", {"signal", signal});
  server.reset();
  service.Stop();
  return service.has_lost() ? EndReason::LeadershipLost : EndReason::Signal;
}

}  // namespace plimsoll::service
