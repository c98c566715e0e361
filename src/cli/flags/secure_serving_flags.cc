#include "cli/flags/secure_serving_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"

namespace plimsoll::cli {

void AddSecureServingFlags(CLI::App& command, service::SecureServingOptions& options) {
  command.add_flag("--profiling,!--no-profiling", options.has_profiling, kProfilingHelp);
  command
      .add_option("--bind-address", options.address,
                  "IP address on which health checks and metrics are served")
      ->type_name("IP");
  RequireInteger(command.add_option(
                     "--secure-port", options.port,
                     "HTTPS port on which health checks and metrics are served. 0 switches it off"),
                 0, 65'535);
  command
      .add_option("--authentication-kubeconfig", options.authentication_kubeconfig,
                  "Kubeconfig of the API server that checks bearer tokens (TokenReview). Without "
                  "this flag that of --kubeconfig")
      ->type_name("FILE");
  command
      .add_option("--authorization-kubeconfig", options.authorization_kubeconfig,
                  "Kubeconfig of the API server that authorizes requests (SubjectAccessReview). "
                  "Without this flag that of --kubeconfig")
      ->type_name("FILE");
  command
      .add_option("--authorization-always-allow-paths", options.always_allow_paths,
                  "Paths that need no authorization, separated by commas")
      ->delimiter(',')
      ->type_name("PATHS");
  command
      .add_option("--client-ca-file", options.client_ca_file,
                  "CA that verifies certificates of clients that read health checks and metrics")
      ->type_name("FILE");
}

}  // namespace plimsoll::cli
