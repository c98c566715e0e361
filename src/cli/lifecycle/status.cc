#include "cli/lifecycle/status.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "base/real_clock.h"
#include "cli/lifecycle/cluster_facts.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/styled_text.h"
#include "cli/output/tree_output.h"

namespace plimsoll::cli {

void AddStatusFlags(CLI::App& command, StatusOptions& options) {
  command
      .add_option("--data-dir", options.data_directory,
                  "Data directory of the control plane, as for plimsoll up")
      ->type_name("DIR");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml, OutputFormat::Name});
}

int RunStatus(const StatusOptions& options, Context& context) {
  RealClock clock;
  const Result<ClusterFacts> facts = ReadClusterFacts(options.data_directory, clock);
  if (!facts) return ReportFailure(facts.error(), context);
  if (options.output == OutputFormat::Name) {
    if (facts->run) context.out << Printable(facts->run->cluster) << '\n';
  } else if (IsTree(options.output)) {
    codec::Document document;
    WriteTree(ToTree(*facts, document), options.output, context.out);
  } else {
    Write(ToText(*facts, clock.Now()), context.out_look, context.out);
  }
  return facts->pid ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
