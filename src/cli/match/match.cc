#include "cli/match/match.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <vector>

#include "base/assert.h"
#include "base/real_clock.h"
#include "base/suggest.h"
#include "cli/connect.h"
#include "cli/flags/common_flags.h"
#include "cli/manifest/manifest_files.h"
#include "cli/output/diagnosis_json.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/progress.h"
#include "cli/output/styled_text.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"
#include "match/cel_evaluator.h"
#include "match/diagnosis.h"
#include "service/expression_evaluators.h"

namespace plimsoll::cli {
namespace {

/// A pod, or the pod template of a workload.
struct Subject {
  std::string name;  // Pod default/web
  const api::PodSpec* spec = nullptr;
  std::shared_ptr<const api::Object> owner;  // owns the texts
};

struct Candidate {
  const api::Node* node = nullptr;
  std::shared_ptr<const api::Object> owner;
};

struct MatchInput {
  std::vector<Subject> subjects;
  std::vector<Candidate> nodes;
  match::Rules rules;
};

std::string NameOf(const api::Object& object) {
  const api::ObjectMeta& metadata = object.metadata();
  std::string name(metadata.name.empty() ? metadata.generate_name : metadata.name);
  const std::string_view space = metadata.namespace_;
  if (object.kind().is_namespaced && !space.empty()) name = std::string(space) + "/" + name;
  return std::string(object.kind().kind) + " " + name;
}

const api::PodSpec* PodSpecOf(const api::Object& object) {
  if (const api::Pod* pod = object.As<api::Pod>()) return &pod->spec;
  if (const api::Workload* workload = object.As<api::Workload>())
    return &workload->pod_template.spec;
  return nullptr;
}

Result<std::vector<Subject>> ReadSubjects(const std::string& path, Context& context) {
  std::vector<Subject> subjects;
  for (const Manifest& manifest : PL_TRY(ReadValidManifests({path}, {}, context))) {
    if (const api::PodSpec* spec = PodSpecOf(*manifest.object)) {
      subjects.push_back({NameOf(*manifest.object), spec, manifest.object});
    }
  }
  if (subjects.empty()) {
    return FailAt(Reason::Invalid, "--pod",
                  "\"" + path + "\" holds no pod and no workload with a pod template");
  }
  return subjects;
}

Result<std::vector<Candidate>> ReadNodes(const std::string& path, Context& context) {
  std::vector<Candidate> nodes;
  for (const Manifest& manifest : PL_TRY(ReadValidManifests({path}, {}, context))) {
    if (const api::Node* node = manifest.object->As<api::Node>())
      nodes.push_back({node, manifest.object});
  }
  if (nodes.empty()) return FailAt(Reason::Invalid, "--nodes", "\"" + path + "\" holds no node");
  return nodes;
}

Result<std::vector<Candidate>> ListNodes(const MatchOptions& options) {
  RealClock clock;
  const auto client = PL_TRY(ConnectForUser(options.kubeconfig, options.kube_context, clock));
  const api::KindDesc* const kind = api::FindKind("", "v1", "Node");
  PL_ASSERT(kind != nullptr);
  const auto list = client->List({*kind}, {}, {.retries_max = 0});
  if (!list) {
    return Fail(Reason::ServiceUnavailable, "cannot list nodes: " + list.error().message);
  }
  std::vector<Candidate> nodes;
  for (const auto& object : list->objects) nodes.push_back({object->As<api::Node>(), object});
  if (nodes.empty()) return Fail(Reason::NotFound, "the server has no nodes");
  return nodes;
}

Result<MatchInput> ReadMatchInput(const MatchOptions& options, Context& context) {
  if (options.pod == "-" && options.nodes == "-") {
    return FailAt(Reason::Invalid, "--nodes",
                  "only one of --pod and --nodes can be standard input");
  }
  if (!options.node.empty() && options.output == OutputFormat::Wide) {
    return FailAt(Reason::Invalid, "-o",
                  "wide is for the table of nodes; --node shows everything already");
  }
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  MatchInput input;
  input.rules =
      match::Rules::From(gates, &service::EvaluatorOf(service::ExpressionUser::CommandLine));
  input.subjects = PL_TRY(ReadSubjects(options.pod, context));
  input.nodes =
      PL_TRY(options.nodes.empty() ? ListNodes(options) : ReadNodes(options.nodes, context));
  if (options.node.empty()) return input;
  std::vector<std::string> names;
  for (const Candidate& candidate : input.nodes) {
    names.emplace_back(candidate.node->metadata.name);
  }
  std::erase_if(input.nodes, [&](const Candidate& candidate) {
    return candidate.node->metadata.name != options.node;
  });
  if (!input.nodes.empty()) return input;
  std::string message =
      options.nodes.empty() ? std::string("the server has") : "\"" + options.nodes + "\" holds";
  message += " no node \"" + options.node + "\"";
  if (const auto nearest = Nearest(options.node, names)) {
    message += "; did you mean \"" + *nearest + "\"?";
  }
  return FailAt(Reason::NotFound, "--node", std::move(message));
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "; ") + line;
  return out;
}

std::string TaintList(const api::Node& node) {
  std::vector<std::string> texts;
  for (const api::Taint& taint : node.spec.taints) texts.push_back(api::ToText(taint));
  return texts.empty() ? "<none>" : Joined(texts);
}

Cell VerdictCell(const match::Diagnosis& diagnosis) {
  if (diagnosis.accepted) return {"accepted", Style::Good};
  return {"refused", Style::Bad};
}

/// Diagnoses pairs, and shows the progress if there are many.
class Pairs {
 public:
  Pairs(const MatchInput& input, Context& context)
      : input_(input),
        total_(input.subjects.size() * input.nodes.size()),
        progress_("Matching pairs", context) {}

  match::Diagnosis Diagnose(const Subject& subject, const Candidate& candidate) {
    progress_.Set(std::min(done_++, total_), total_);
    return match::Diagnose(*subject.spec, *candidate.node, input_.rules);
  }
  /// Removes the line, so that the command may print.
  void Clear() { progress_.Clear(); }

 private:
  const MatchInput& input_;
  const std::size_t total_;
  std::size_t done_ = 0;
  Progress progress_;
};

/// Returns true if a node accepts the pod.
bool PrintTableFor(const Subject& subject, const MatchInput& input, bool wide, Pairs& pairs,
                   Context& context) {
  std::vector<std::string> header{"NODE", "VERDICT"};
  if (wide) header.push_back("TAINTS");
  header.push_back("REASON");
  std::vector<std::vector<Cell>> rows;
  bool is_accepted = false;
  for (const Candidate& candidate : input.nodes) {
    const match::Diagnosis diagnosis = pairs.Diagnose(subject, candidate);
    is_accepted |= diagnosis.accepted;
    std::vector<std::string> lines = match::Refusals(diagnosis);
    if (diagnosis.accepted) lines = match::Advisories(diagnosis);
    std::vector<Cell> row{std::string(candidate.node->metadata.name), VerdictCell(diagnosis)};
    if (wide) row.emplace_back(TaintList(*candidate.node));
    row.emplace_back(wide || diagnosis.accepted ? Joined(lines) : match::Summary(diagnosis));
    rows.push_back(std::move(row));
  }
  pairs.Clear();
  if (input.subjects.size() > 1) {
    Write(StyledText(Printable(subject.name) + ":\n", Style::Heading), context.out_look,
          context.out);
  }
  PrintTable(header, rows, context.out_look, context.out);
  return is_accepted;
}

/// A line of the details: a verdict, and what it is about.
struct DetailLine {
  Cell mark;
  std::string text;
};

void AddLines(std::string_view title, const std::vector<DetailLine>& lines, StyledText& out) {
  constexpr std::size_t kMarkWidth = 10;
  out.Add(title, Style::Heading).Add(":\n");
  if (lines.empty()) out.Add("  <none>\n");
  for (const DetailLine& line : lines) {
    out.Add("  ").Add(line.mark.text, line.mark.style);
    out.Add(std::string(kMarkWidth - line.mark.text.size(), ' '));
    out.AddHanging(line.text).Add("\n");
  }
}

Cell MarkOf(const match::TaintDiagnosis& taint) {
  if (taint.tolerated()) return {"ok", Style::Good};
  return taint.blocks ? Cell("refuses", Style::Bad) : Cell("dislikes", Style::Warning);
}

/// Prints details of one node: each taint with the toleration that matches or is closest, and each
/// failing entry of node selector and affinity. Returns true if the node accepts the pod.
bool PrintFull(const Subject& subject, const MatchInput& input, Context& context) {
  const api::Node& node = *input.nodes.front().node;
  const match::Diagnosis diagnosis = match::Diagnose(*subject.spec, node, input.rules);
  StyledText out;
  out.Add(fmt::format("{} on node {}: ", Printable(subject.name), Printable(node.metadata.name)));
  const Cell verdict = VerdictCell(diagnosis);
  out.Add(verdict.text, verdict.style).Add("\n");
  std::vector<DetailLine> taints;
  for (const match::TaintDiagnosis& taint : diagnosis.taints) {
    taints.push_back({MarkOf(taint), match::ToText(taint)});
  }
  AddLines("Taints", taints, out);
  std::vector<DetailLine> selector;
  for (const match::NodeSelectorMismatch& mismatch : diagnosis.affinity.node_selector) {
    selector.push_back({{"refuses", Style::Bad}, match::ToText(mismatch)});
  }
  if (selector.empty() && !subject.spec->node_selector.empty()) {
    selector.push_back({{"ok", Style::Good}, "all"});
  }
  AddLines("Node selector", selector, out);
  std::vector<DetailLine> terms;
  for (const match::TermDiagnosis& term : diagnosis.affinity.terms) {
    terms.push_back(
        {term.matched ? Cell("ok", Style::Good) : Cell("fails", Style::Bad), match::ToText(term)});
  }
  AddLines("Required node affinity (one term must hold)", terms, out);
  Write(out, context.out_look, context.out);
  return diagnosis.accepted;
}

/// Sets `is_accepted` to true if a node accepts the pod.
codec::Value SubjectTree(const Subject& subject, const MatchInput& input, Pairs& pairs,
                         codec::Document& document, bool& is_accepted) {
  codec::Value tree = document.NewObject();
  document.Set(tree, "pod", document.NewString(subject.name));
  codec::Value nodes = document.NewArray(input.nodes.size());
  is_accepted = false;
  for (const Candidate& candidate : input.nodes) {
    const match::Diagnosis diagnosis = pairs.Diagnose(subject, candidate);
    is_accepted |= diagnosis.accepted;
    codec::Value entry = document.NewObject();
    document.Set(entry, "node", document.NewString(candidate.node->metadata.name));
    const codec::Value diagnosed = DiagnosisTree(diagnosis, document);
    for (const codec::Member& member : diagnosed.members()) document.AppendMember(entry, member);
    document.Append(nodes, entry);
  }
  document.Set(tree, "nodes", nodes);
  return tree;
}

/// Returns true if each pod is accepted somewhere.
bool PrintTree(const MatchInput& input, OutputFormat format, Pairs& pairs, Context& context) {
  codec::Document document;
  document.root() = document.NewObject();
  codec::Value pods = document.NewArray(input.subjects.size());
  bool are_all_accepted = true;
  for (const Subject& subject : input.subjects) {
    bool is_accepted = false;
    document.Append(pods, SubjectTree(subject, input, pairs, document, is_accepted));
    are_all_accepted &= is_accepted;
  }
  document.Set(document.root(), "pods", pods);
  pairs.Clear();
  WriteTree(document.root(), format, context.out);
  return are_all_accepted;
}

/// Prints the nodes that accept all pods. Returns true if each pod is accepted somewhere.
bool PrintNames(const MatchInput& input, Pairs& pairs, Context& context) {
  std::vector<std::string> names;
  std::vector<bool> are_accepted(input.subjects.size());
  for (const Candidate& candidate : input.nodes) {
    bool accepts_all = true;
    for (std::size_t i = 0; i < input.subjects.size(); ++i) {
      const bool is_accepted = pairs.Diagnose(input.subjects[i], candidate).accepted;
      if (is_accepted) are_accepted[i] = true;
      accepts_all &= is_accepted;
    }
    if (accepts_all) names.push_back(Printable(ResourceName(*candidate.owner)));
  }
  pairs.Clear();
  for (const std::string& name : names) context.out << name << '\n';
  return std::ranges::find(are_accepted, false) == are_accepted.end();
}

/// Returns true if each pod is accepted somewhere.
bool PrintText(const MatchOptions& options, const MatchInput& input, Pairs& pairs,
               Context& context) {
  bool are_all_accepted = true;
  for (const Subject& subject : input.subjects) {
    if (&subject != &input.subjects.front()) context.out << '\n';
    const bool is_wide = options.output == OutputFormat::Wide;
    are_all_accepted &= options.node.empty()
                            ? PrintTableFor(subject, input, is_wide, pairs, context)
                            : PrintFull(subject, input, context);
  }
  return are_all_accepted;
}

}  // namespace

void AddMatchFlags(CLI::App& command, MatchOptions& options) {
  command
      .add_option("--pod", options.pod,
                  "Manifest of the pod, or of a workload with a pod template; - for standard input")
      ->required()
      ->type_name("FILE|-");
  command
      .add_option("--nodes", options.nodes,
                  "Nodes: manifests, or the output of `kubectl get nodes -o json`. Without this "
                  "flag the nodes of the API server")
      ->type_name("FILE|DIR|-");
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  command.add_option("--node", options.node, "Show every taint and requirement of this node")
      ->type_name("NODE");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
  AddFeatureGatesFlag(command, options.feature_gates);
}

int RunMatch(const MatchOptions& options, Context& context) {
  const Result<MatchInput> input = ReadMatchInput(options, context);
  if (!input) return ReportFailure(input.error(), context);
  Pairs pairs(*input, context);
  const auto print = [&] {
    if (IsTree(options.output)) return PrintTree(*input, options.output, pairs, context);
    if (options.output == OutputFormat::Name) return PrintNames(*input, pairs, context);
    return PrintText(options, *input, pairs, context);
  };
  return print() ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
