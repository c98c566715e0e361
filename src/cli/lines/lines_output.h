#pragma once

#include <string_view>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"
#include "cli/lines/key_survey.h"
#include "controller/threshold_metrics/line_survey.h"

namespace plimsoll::cli {

/// Thresholds of workloads, and values of taint keys.
struct LinesReport {
  std::vector<controller::WorkloadLine> lines;
  std::vector<KeySurvey> keys;
};

/// Prints the report in the format. With Name, prints the pods that are near a line. The namespace
/// is shown if `shows_namespaces` is set.
void PrintLines(const LinesReport& report, bool shows_namespaces, OutputFormat format,
                Context& context);

}  // namespace plimsoll::cli
