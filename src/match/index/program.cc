#include "match/index/program.h"

#include <algorithm>

#include "api/field_error.h"
#include "match/node_selector.h"

namespace plimsoll::match {
namespace {

void AppendNumber(std::uint32_t number, std::string& out) {
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void AppendCount(std::size_t count, std::string& out) {
  AppendNumber(static_cast<std::uint32_t>(count), out);
}

// Texts are preceded by their length, so that different contents have different bytes.
void AppendText(std::string_view text, std::string& out) {
  AppendCount(text.size(), out);
  out.append(text);
}

void AppendRequirements(const std::vector<api::NodeSelectorRequirement>& requirements,
                        std::string& out) {
  AppendCount(requirements.size(), out);
  for (const auto& requirement : requirements) {
    AppendText(requirement.key, out);
    AppendText(requirement.op, out);
    AppendCount(requirement.values.size(), out);
    for (const std::string_view value : requirement.values) AppendText(value, out);
  }
}

void AppendTerm(const api::NodeSelectorTerm& term, std::string& out) {
  AppendRequirements(term.match_expressions, out);
  AppendRequirements(term.match_fields, out);
}

void AppendNodeAffinity(const api::NodeAffinity& affinity, std::string& out) {
  out += affinity.required ? 'r' : '-';
  if (affinity.required) {
    AppendCount(affinity.required->terms.size(), out);
    for (const auto& term : affinity.required->terms) AppendTerm(term, out);
  }
  AppendCount(affinity.preferred.size(), out);
  for (const auto& preferred : affinity.preferred) {
    AppendNumber(static_cast<std::uint32_t>(preferred.weight), out);
    AppendTerm(preferred.preference, out);
  }
}

void AppendTolerations(std::span<const api::Toleration> tolerations, std::string& out) {
  AppendCount(tolerations.size(), out);
  for (const api::Toleration& toleration : tolerations) {
    for (const std::string_view text : {toleration.key, toleration.op, toleration.value,
                                        toleration.effect, toleration.expression}) {
      AppendText(text, out);
    }
  }
}

CompiledTerm CompileTerm(const api::NodeSelectorTerm& term, LabelTable& labels) {
  CompiledTerm compiled;
  for (const auto& requirement : term.match_expressions) {
    compiled.labels.push_back(labels.Compile(requirement));
  }
  for (const auto& requirement : term.match_fields) {
    compiled.fields.push_back({.wants_equal = requirement.op == "In",
                               .is_name = requirement.key == "metadata.name",
                               .value = std::string(requirement.values.front())});
  }
  return compiled;
}

void CompileRequired(const api::NodeSelector& selector, const Rules& rules, LabelTable& labels,
                     Program& program) {
  program.has_required = true;
  const api::FieldPath at("");
  for (const auto& term : selector.terms) {
    api::FieldErrors errors;
    CheckTerm(term, at, rules, errors);
    if (!IsEmpty(term) && errors.empty()) program.required.push_back(CompileTerm(term, labels));
  }
}

void CompilePreferred(const api::NodeAffinity& affinity, const Rules& rules, LabelTable& labels,
                      Program& program) {
  const api::FieldPath at("");
  for (const api::PreferredSchedulingTerm& term : affinity.preferred) {
    if (!CanCount(term, rules)) continue;
    api::FieldErrors errors;
    CheckTerm(term.preference, at, rules, errors);
    if (!errors.empty()) continue;
    program.preferred.push_back({term.weight, CompileTerm(term.preference, labels)});
  }
}

std::size_t BytesOf(const CompiledTerm& term) {
  return term.labels.capacity() * sizeof(CompiledRequirement) +
         term.fields.capacity() * sizeof(CompiledField);
}

}  // namespace

void AppendContent(const NodeConstraints& pod, ProgramParts parts, std::string& out) {
  out += static_cast<char>(parts);
  if (parts != ProgramParts::Selection) AppendTolerations(pod.tolerations, out);
  if (parts == ProgramParts::Tolerations) return;
  AppendCount(pod.node_selector.size(), out);
  for (const auto& [key, value] : pod.node_selector) {
    AppendText(key, out);
    AppendText(value, out);
  }
  if (pod.node_affinity != nullptr) AppendNodeAffinity(*pod.node_affinity, out);
}

Program Compile(const NodeConstraints& pod, ProgramParts parts, const Rules& rules,
                TaintTable& taints, LabelTable& labels) {
  Program program;
  program.checks_taints = parts != ProgramParts::Selection;
  if (program.checks_taints) {
    for (const api::Toleration& toleration : pod.tolerations) {
      auto compiled = taints.Compile(toleration);
      if (compiled) program.tolerations.push_back(std::move(*compiled));
    }
    // Expressions come last: they are evaluated only for taints that nothing else tolerates.
    const auto expressions = std::ranges::stable_partition(
        program.tolerations,
        [](const CompiledToleration& one) { return one.expression == Interner::kNone; });
    program.plain_tolerations =
        static_cast<std::size_t>(expressions.begin() - program.tolerations.begin());
  }
  if (parts == ProgramParts::Tolerations) return program;
  for (const auto& [key, value] : pod.node_selector) {
    program.node_selector.push_back(labels.CompileEqual(key, value));
  }
  if (pod.node_affinity != nullptr) {
    if (pod.node_affinity->required) {
      CompileRequired(*pod.node_affinity->required, rules, labels, program);
    }
    CompilePreferred(*pod.node_affinity, rules, labels, program);
  }
  return program;
}

void Release(const Program& program, TaintTable& taints, LabelTable& labels) {
  for (const auto& toleration : program.tolerations) taints.Release(toleration);
  for (const auto& requirement : program.node_selector) labels.Release(requirement);
  for (const auto& term : program.required) {
    for (const auto& requirement : term.labels) labels.Release(requirement);
  }
  for (const auto& [weight, term] : program.preferred) {
    for (const auto& requirement : term.labels) labels.Release(requirement);
  }
}

std::size_t Program::MemoryBytes() const {
  std::size_t bytes = sizeof(Program) + nodes.MemoryBytes() +
                      tolerations.capacity() * sizeof(CompiledToleration) +
                      node_selector.capacity() * sizeof(CompiledRequirement) +
                      required.capacity() * sizeof(CompiledTerm) +
                      preferred.capacity() * sizeof(CompiledPreference);
  for (const auto& term : required) bytes += BytesOf(term);
  for (const auto& preference : preferred) bytes += BytesOf(preference.term);
  return bytes;
}

}  // namespace plimsoll::match
