#include "cli/flags/secure_serving_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"

namespace plimsoll::cli {

void AddSecureServingFlags(CLI::App& command, service::SecureServingOptions& options) {
  command.add_flag("--profiling,!--no-profiling", options.has_profiling, kProfilingHelp);
  command.add_option("--bind-address", options.address, "Address of the health and metrics pages")
      ->type_name("IP");
  RequireInteger(command.add_option("--secure-port", options.port,
                                    "Port of the health and metrics pages, with TLS; 0: no pages"),
                 0, 65'535);
  command
      .add_option("--authentication-kubeconfig", options.authentication_kubeconfig,
                  "Kubeconfig of the API server that reviews bearer tokens of readers; by default "
                  "that of --kubeconfig")
      ->type_name("FILE");
  command
      .add_option("--authorization-kubeconfig", options.authorization_kubeconfig,
                  "Kubeconfig of the API server that decides who may read which page; by default "
                  "that of --kubeconfig")
      ->type_name("FILE");
  command
      .add_option("--authorization-always-allow-paths", options.always_allow_paths,
                  "Pages that need no login, with commas between")
      ->delimiter(',')
      ->type_name("PATHS");
  command
      .add_option("--client-ca-file", options.client_ca_file,
                  "CA of the client certificates that readers may log in with")
      ->type_name("FILE");
}

}  // namespace plimsoll::cli
