#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/result.h"
#include "cli/connect.h"
#include "cli/context.h"
#include "cli/elected_service.h"
#include "cli/failure.h"
#include "cli/pages_auth.h"
#include "cli/signals.h"
#include "runner/component_server.h"

namespace plimsoll::cli {

/// Secure port of a component, with health and metrics endpoints.
struct Pages {
  std::string name;  // kube-scheduler
  PagesFlags flags;
  std::string kubeconfig;  // for token and access reviews, unless the flags name another
};

/// Environment of a component. All members must outlive it.
struct ComponentEnvironment {
  EndSignals& signals;  // created before any thread
  Clock& clock;
  MetricsRegistry& metrics;
};

/// Runs a component until a signal, or until it loses leadership. Returns true in the latter case.
/// Without an election it always runs.
template <class Runner>
Result<bool> RunUntilEnd(Runner& runner, const Election* election, const Pages& pages,
                         const ComponentEnvironment& in, Context& context) {
  ElectedService service(
      election, {.start = [&runner] { runner.Start(); }, .stop = [&runner] { runner.Stop(); }},
      context.log);
  std::unique_ptr<PagesAuth> auth;
  std::unique_ptr<runner::ComponentServer> server;
  if (pages.flags.port != 0) {
    auth = PL_TRY(PagesAuth::Make(pages.flags, pages.kubeconfig, in.clock));
    server =
        PL_TRY(runner::ComponentServer::Start({.address = pages.flags.address,
                                               .port = pages.flags.port,
                                               .name = pages.name,
                                               .client_ca_pem = auth->client_ca_pem(),
                                               .has_profiling = pages.flags.has_profiling},
                                              in.clock, context.log, in.metrics, auth->auth(), [&] {
                                                return service.is_elected() || runner.HasSynced();
                                              }));
  }
  service.Start();
  PL_LOG(context.log, Info(), "Running", {"component", pages.name},
         {"leaderElect", service.is_elected()});
  const int signal = in.signals.Wait();
  PL_LOG(context.log, Info(), "Shutting down", {"signal", signal});
  server.reset();
  service.Stop();
  return service.has_lost();
}

/// Same, with leader election if `leadership` is set.
template <class Runner>
Result<bool> RunElected(Runner& runner, const std::optional<Leadership>& leadership,
                        const Clients& clients, const Pages& pages, const ComponentEnvironment& in,
                        Context& context) {
  if (!leadership) return RunUntilEnd(runner, nullptr, pages, in, context);
  const Election election{*leadership, *clients.election};
  return RunUntilEnd(runner, &election, pages, in, context);
}

/// Returns the exit code for the result of a component.
inline int Report(const Result<bool>& has_lost, Context& context) {
  if (!has_lost) return ReportFailure(has_lost.error(), context);
  return *has_lost ? kExitFindings : kExitOk;
}

}  // namespace plimsoll::cli
