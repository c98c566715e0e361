#include "cli/lifecycle/status.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "base/real_clock.h"
#include "cli/lifecycle/cluster_facts.h"
#include "cli/output/failure.h"

namespace plimsoll::cli {

void AddStatusFlags(CLI::App& command, StatusOptions& options) {
  command
      .add_option("--data-dir", options.data_directory,
                  "Data directory of the control plane, as for plimsoll up")
      ->type_name("DIR");
  command.add_option("-o,--output", options.output, "text, json or yaml")
      ->check(CLI::IsMember({"text", "json", "yaml"}));
}

int RunStatus(const StatusOptions& options, Context& context) {
  RealClock clock;
  const Result<ClusterFacts> facts = ReadClusterFacts(options.data_directory, clock);
  if (!facts) return ReportFailure(facts.error(), context);
  context.out << (options.output == "text" ? ToText(*facts, clock.Now())
                                           : ToDocument(*facts, options.output));
  return facts->pid ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
