#include "cli/lines/lines.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/real_clock.h"
#include "base/suggest.h"
#include "cli/flags/common_flags.h"
#include "cli/lines/key_survey.h"
#include "cli/lines/lines_output.h"
#include "cli/output/failure.h"
#include "cli/tolerations/placement_objects.h"
#include "controller/threshold_metrics/line_survey.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::cli {
namespace {

/// Returns NotFound if neither a taint nor a threshold has the key.
Status CheckKey(const std::string& key, const PlacementObjects& input) {
  if (key.empty()) return {};
  std::vector<std::string> known;
  for (const ObjectPtr& node : input.nodes) {
    for (const api::Taint& taint : node->As<api::Node>()->spec.taints) {
      known.emplace_back(taint.key);
    }
  }
  for (const ObjectPtr& pod : input.pods) {
    for (const api::Toleration& toleration : pod->As<api::Pod>()->spec.tolerations) {
      if (match::IsThreshold(toleration)) known.emplace_back(toleration.key);
    }
  }
  if (std::ranges::find(known, key) != known.end()) return {};
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  std::string message = "no taint and no threshold has the key \"" + key + "\"";
  if (const auto nearest = Nearest(key, known)) message += "; did you mean " + *nearest + "?";
  return Fail(Reason::NotFound, std::move(message));
}

Status Lines(const LinesOptions& options, Context& context) {
  RealClock clock;
  const match::Rules rules = PL_TRY(RulesOf(options.feature_gates));
  PlacementObjects input = PL_TRY(ReadPlacementObjects(options.files, options.kubeconfig,
                                                       options.kube_context, clock, context));
  PL_TRY(CheckKey(options.key, input));
  const std::string wanted = options.namespace_.empty() ? input.namespace_ : options.namespace_;
  const bool is_one_namespace = !options.all_namespaces && !wanted.empty();
  if (is_one_namespace) {
    std::erase_if(input.pods,
                  [&](const ObjectPtr& pod) { return pod->metadata().namespace_ != wanted; });
  }
  const LinesReport report{controller::SurveyLines(input.pods, input.nodes, rules, options.key),
                           SurveyKeys(input.pods, input.nodes, rules, options.key)};
  PrintLines(report, !is_one_namespace, options.output, context);
  return {};
}

}  // namespace

void AddLinesFlags(CLI::App& command, LinesOptions& options) {
  command.add_option("key", options.key, "Key of taints. Without it all keys with thresholds")
      ->type_name("KEY");
  command
      .add_option("-n,--namespace", options.namespace_,
                  "Namespace of the pods. Without this flag the namespace of the kubeconfig's "
                  "context")
      ->type_name("NAMESPACE");
  command.add_flag("-A,--all-namespaces", options.all_namespaces,
                   "Survey the pods of all namespaces");
  command
      .add_option("-f,--filename", options.files,
                  "Manifests of pods and nodes. With them the command needs no API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  AddFeatureGatesFlag(command, options.feature_gates);
}

int RunLines(const LinesOptions& options, Context& context) {
  const Status status = Lines(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
