#include "cli/check/check.h"

#include <CLI/CLI.hpp>
#include <ostream>
#include <utility>

#include "api/expression/toleration_expression.h"
#include "api/feature_gates.h"
#include "api/validation/gate_hints.h"
#include "api/validation/object.h"
#include "cli/check/check_report.h"
#include "cli/flags/choice.h"
#include "cli/flags/common_flags.h"
#include "cli/manifest/manifest_files.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/progress.h"
#include "cli/output/tree_output.h"
#include "match/hint.h"

namespace plimsoll::cli {
namespace {

using Nodes = std::vector<const api::Node*>;

std::string Quoted(const api::Object& object) {
  const api::ObjectMeta& metadata = object.metadata();
  return std::string(object.kind().kind) + " \"" + std::string(metadata.name) + "\"";
}

/// Returns the line of a field; the line of its closest parent if the field is missing.
std::uint32_t LineOf(const Manifest& manifest, std::string_view field) {
  // Upstream reports a node's taints under metadata, where they are not.
  constexpr std::string_view kTaints = "metadata.taints";
  std::string path(field);
  if (field.starts_with(kTaints)) path = "spec.taints" + path.substr(kTaints.size());
  const codec::Value* found = api::FindPath(manifest.object->tree(), path);
  return found != nullptr && found->line() != 0 ? found->line() : manifest.line;
}

void AddErrors(const Manifest& manifest, const api::FieldErrors& errors,
               const api::FeatureGates& gates, CheckReport& report) {
  const std::string object = Quoted(*manifest.object);
  const std::string prefix = api::InvalidPrefix(*manifest.object);
  for (const api::FieldError& error : errors.list()) {
    report.findings.push_back({.severity = Severity::Error,
                               .file = manifest.file,
                               .line = LineOf(manifest, error.field),
                               .object = object,
                               .name = ResourceName(*manifest.object),
                               .field = error.field,
                               .kind = std::string(api::CauseReason(error.type)),
                               .message = prefix + error.Text()});
    const std::string hint = api::GateHint(error, gates);
    if (hint.empty()) continue;
    report.findings.push_back({.severity = Severity::Hint,
                               .file = manifest.file,
                               .line = LineOf(manifest, error.field),
                               .object = object,
                               .name = ResourceName(*manifest.object),
                               .field = error.field,
                               .kind = "GateOff",
                               .message = object + ": " + hint});
  }
}

std::vector<match::Hint> HintsOf(const api::Object& object, const Nodes& nodes) {
  if (const api::Pod* pod = object.As<api::Pod>()) {
    return match::PodHints(pod->spec, api::FieldPath("spec"), nodes);
  }
  if (const api::Workload* workload = object.As<api::Workload>()) {
    return match::PodHints(workload->pod_template.spec, api::FieldPath("spec.template.spec"),
                           nodes);
  }
  if (const api::PersistentVolume* volume = object.As<api::PersistentVolume>()) {
    return match::VolumeHints(volume->spec, api::FieldPath("spec"), nodes);
  }
  return {};
}

void AddHints(const Manifest& manifest, const Nodes& nodes, CheckReport& report) {
  const std::string object = Quoted(*manifest.object);
  for (match::Hint& hint : HintsOf(*manifest.object, nodes)) {
    report.findings.push_back({.severity = Severity::Hint,
                               .file = manifest.file,
                               .line = LineOf(manifest, hint.field),
                               .object = object,
                               .name = ResourceName(*manifest.object),
                               .field = hint.field,
                               .kind = std::string(match::ToText(hint.kind)),
                               .message = object + ": " + hint.field + ": " + hint.message});
  }
}

void CheckManifest(const Manifest& manifest, const api::ValidationContext& rules,
                   const Nodes& nodes, CheckReport& report) {
  ++report.objects;
  for (const api::StrictFinding& warning : manifest.warnings) {
    report.findings.push_back({.severity = Severity::Warning,
                               .file = manifest.file,
                               .line = warning.line,
                               .field = warning.path,
                               .message = warning.Text()});
  }
  if (manifest.object == nullptr) {
    report.findings.push_back({.severity = Severity::Error,
                               .file = manifest.file,
                               .line = manifest.line,
                               .message = manifest.error});
    return;
  }
  const api::FieldErrors errors = api::ValidateCreate(*manifest.object, rules);
  AddErrors(manifest, errors, rules.gates, report);
  // Hints about an object that is rejected anyway would hide the reason.
  if (errors.empty()) AddHints(manifest, nodes, report);
}

api::FieldValidation FieldValidationOf(std::string_view text) {
  if (text == "warn") return api::FieldValidation::Warn;
  if (text == "ignore") return api::FieldValidation::Ignore;
  return api::FieldValidation::Strict;
}

void CollectNodes(const std::vector<Manifest>& manifests, Nodes& nodes) {
  for (const Manifest& manifest : manifests) {
    const api::Node* node = manifest.object != nullptr ? manifest.object->As<api::Node>() : nullptr;
    if (node != nullptr) nodes.push_back(node);
  }
}

Result<CheckReport> Check(const CheckOptions& options, Context& context) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  const ManifestOptions decode{.field_validation = FieldValidationOf(options.field_validation),
                               .create_in = options.namespace_,
                               .gates = gates};
  const auto manifests = PL_TRY(ReadManifests(options.paths, decode, context));
  const auto more_nodes = PL_TRY(
      ReadManifests(options.nodes, {.field_validation = api::FieldValidation::Ignore}, context));
  Nodes nodes;
  CollectNodes(manifests, nodes);
  CollectNodes(more_nodes, nodes);
  const api::TolerationExpressions expressions;
  const api::ValidationContext rules{.gates = gates, .expressions = &expressions};
  CheckReport report;
  Progress progress("Checking objects", context);
  for (const Manifest& manifest : manifests) {
    progress.Set(report.objects, manifests.size());
    CheckManifest(manifest, rules, nodes, report);
  }
  progress.Clear();
  PL_LOG(context.log, Info(1), "Checked manifests", {"objects", report.objects},
         {"nodes", nodes.size()}, {"findings", report.findings.size()});
  return report;
}

}  // namespace

void AddCheckFlags(CLI::App& command, CheckOptions& options) {
  command
      .add_option("paths", options.paths,
                  "Manifests in YAML or JSON: files, directories with their sub-directories, or - "
                  "for standard input")
      ->required()
      ->type_name("FILE|DIR|-");
  command
      .add_option("--nodes", options.nodes,
                  "Compare the thresholds of pods also with these nodes: manifests, or the output "
                  "of `kubectl get nodes -o json`")
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml, OutputFormat::Name});
  RequireOneOf(command.add_option("--field-validation", options.field_validation,
                                  "Treat unknown and duplicate fields as errors (strict), as "
                                  "warnings (warn), or ignore them"),
               {"strict", "warn", "ignore"});
  command
      .add_option("-n,--namespace", options.namespace_, "Namespace of objects that do not name one")
      ->type_name("NAMESPACE");
  AddFeatureGatesFlag(command, options.feature_gates);
  command.add_flag("--strict-hints", options.strict_hints, "Exit with 1 for hints, too");
}

int RunCheck(const CheckOptions& options, Context& context) {
  const Result<CheckReport> report = Check(options, context);
  if (!report) return ReportFailure(report.error(), context);
  if (IsTree(options.output)) {
    codec::Document document;
    WriteTree(ReportTree(*report, document), options.output, context.out);
  } else if (options.output == OutputFormat::Name) {
    for (const std::string& name : NamesOfFaulty(*report, options.strict_hints)) {
      context.out << Printable(name) << '\n';
    }
  } else {
    Write(ReportText(*report), context.out_look, context.out);
  }
  if (report->objects == 0) PrintWarning("the input contains no Kubernetes object", context);
  const bool failed = report->Count(Severity::Error) != 0 ||
                      (options.strict_hints && report->Count(Severity::Hint) != 0);
  return failed ? kExitFindings : kExitOk;
}

}  // namespace plimsoll::cli
