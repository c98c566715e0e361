// Checks tolerations, node selectors and node affinity. Every case runs with the plain matcher and
// with the compiled index. Both must agree with upstream.

#include <array>
#include <vector>

#include "api/decode/decode.h"
#include "api/schema/conform.h"
#include "api/schema/fields.h"
#include "golden.h"
#include "match/index/match_index.h"
#include "match/index/taint_table.h"
#include "match/node_selector.h"
#include "match/toleration.h"

namespace plimsoll::golden {
namespace {

using match::Rules;
namespace fields = api::fields::core_v1;

// Upstream has no version operators, so its results equal ours with the gate
// off.
constexpr Rules kUpstream{.comparison = true, .semver = false, .evaluator = nullptr};

/// Decodes a part of the input. A missing part gives an empty struct.
template <class T>
T Read(Case& one, codec::Value* tree, api::TypeId type) {
  T out{};
  std::vector<api::StrictFinding> findings;
  if (tree != nullptr && !tree->is_null() &&
      api::Conform(one.document, *tree, api::Describe(type), api::FieldValidation::Ignore,
                   findings)) {
    api::Decode(*tree, out);
  }
  return out;
}

std::vector<api::Node> ReadNodes(Case& one) {
  std::vector<api::Node> nodes;
  codec::Value* const list = one.input.Find("nodes");
  if (list == nullptr) return nodes;
  for (codec::Value& node : list->items()) {
    nodes.push_back(Read<api::Node>(one, &node, fields::Node::kTypeId));
  }
  return nodes;
}

std::string BoolText(bool value) { return value ? "true" : "false"; }

/// Returns a text; "" for null, which in the golden files means no error.
std::string_view TextOf(const codec::Value* value) {
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

bool ToleratesCompiled(const api::Toleration& toleration, const api::Taint& taint,
                       const Rules& rules) {
  match::TaintTable table(rules);
  const match::TaintId id = table.Acquire(taint);
  const auto compiled = table.Compile(toleration);
  std::array<std::uint8_t, 1> marked{};
  if (compiled) table.MarkTolerated(*compiled, marked);
  return compiled && table.Tolerates(*compiled, id) && marked[0] != 0;
}

Mismatch CheckToleration(Case& one) {
  const auto toleration =
      Read<api::Toleration>(one, one.input.Find("toleration"), fields::Toleration::kTypeId);
  const auto taint = Read<api::Taint>(one, one.input.Find("taint"), fields::Taint::kTypeId);
  for (const bool gate : {true, false}) {
    const Rules rules{.comparison = gate, .semver = false, .evaluator = nullptr};
    const codec::Value* const want = one.expect.Find(gate ? "gateOn" : "gateOff");
    if (want == nullptr || !want->is_bool()) return "a case needs gateOn and gateOff";
    const std::string want_text = BoolText(want->AsBool());
    const std::string_view what = gate ? "gateOn" : "gateOff";
    if (auto differs = Differ(what, want_text, BoolText(Tolerates(toleration, taint, rules)))) {
      return differs;
    }
    if (auto differs =
            Differ(what, want_text, BoolText(ToleratesCompiled(toleration, taint, rules)))) {
      return "compiled " + *differs;
    }
  }
  return std::nullopt;
}

/// A case may have several nodes of one name, so each node gets its own index.
bool AcceptsCompiled(const api::PodSpec& pod, const api::Node& node) {
  match::MatchIndex index(kUpstream);
  const match::NodeSlot slot = index.Upsert(node);
  return index.Filter(index.Compile(pod)).Test(slot);
}

Mismatch CheckPerNode(Case& one, const api::PodSpec& pod, const auto& matcher) {
  const std::vector<api::Node> nodes = ReadNodes(one);
  const codec::Value* const want = one.expect.Find("perNode");
  if (want == nullptr || want->items().size() != nodes.size()) {
    return "a case needs one perNode for each node";
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const codec::Value& wanted = want->items()[i];
    const codec::Value* const match = wanted.Find("match");
    const std::string want_match = BoolText(match != nullptr && match->AsBool());
    const match::SelectorAnswer answer = matcher.Match(match::NodeView(nodes[i].metadata));
    if (auto differs = Differ("match", want_match, BoolText(answer.matched))) return differs;
    if (auto differs = Differ("error", TextOf(wanted.Find("error")), answer.parse_error)) {
      return differs;
    }
    if (auto differs =
            Differ("compiled match", want_match, BoolText(AcceptsCompiled(pod, nodes[i])))) {
      return differs;
    }
  }
  return std::nullopt;
}

Mismatch CheckSelector(Case& one) {
  api::PodSpec pod;
  auto& required = pod.affinity.emplace().node_affinity.emplace().required;
  required =
      Read<api::NodeSelector>(one, one.input.Find("nodeSelector"), fields::NodeSelector::kTypeId);
  const match::NodeSelectorMatcher matcher(*required, kUpstream);
  if (auto differs =
          Differ("parseError", TextOf(one.expect.Find("parseError")), matcher.ParseError())) {
    return differs;
  }
  return CheckPerNode(one, pod, matcher);
}

Mismatch CheckRequired(Case& one) {
  api::PodSpec pod;
  if (codec::Value* const affinity = one.input.Find("affinity"); affinity != nullptr) {
    pod.affinity = Read<api::Affinity>(one, affinity, fields::Affinity::kTypeId);
  }
  if (const codec::Value* const selector = one.input.Find("nodeSelector"); selector != nullptr) {
    std::vector<api::StringMap::Entry> entries;
    for (const auto& member : selector->members()) {
      entries.emplace_back(member.key, member.value.text());
    }
    pod.node_selector = api::StringMap(std::move(entries));
  }
  return CheckPerNode(one, pod, match::RequiredNodeAffinity(pod, kUpstream));
}

Mismatch CheckPreferred(Case& one) {
  api::PodSpec pod;
  auto& preferred = pod.affinity.emplace().node_affinity.emplace().preferred;
  if (codec::Value* const terms = one.input.Find("terms"); terms != nullptr) {
    for (codec::Value& term : terms->items()) {
      preferred.push_back(
          Read<api::PreferredSchedulingTerm>(one, &term, fields::PreferredSchedulingTerm::kTypeId));
    }
  }
  const match::PreferredNodeAffinity affinity(preferred, kUpstream);
  const std::string_view want_error = TextOf(one.expect.Find("parseError"));
  if (auto differs = Differ("parseError", want_error, affinity.parse_error())) return differs;

  const codec::Value* const scores = one.expect.Find("scores");
  const std::vector<api::Node> nodes = ReadNodes(one);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    match::MatchIndex index(kUpstream);
    index.Upsert(nodes[i]);
    std::array<std::int64_t, 1> compiled{};
    index.ScorePreferredAffinity(index.Compile(pod), compiled);
    // Upstream returns no score if a term is invalid; here such a term scores 0.
    if (!want_error.empty()) continue;
    if (scores == nullptr) return "a case without parseError needs scores";
    if (i >= scores->items().size()) return "a case needs one score for each node";
    const std::string want = std::to_string(scores->items()[i].AsInt());
    const std::int64_t plain = affinity.Score(match::NodeView(nodes[i].metadata));
    if (auto differs = Differ("score", want, std::to_string(plain))) return differs;
    if (auto differs = Differ("compiled score", want, std::to_string(compiled[0]))) return differs;
  }
  return std::nullopt;
}

Mismatch CheckNodeAffinity(Case& one) {
  const std::string_view op = TextOf(one.input.Find("op"));
  if (op == "nodeSelector") return CheckSelector(one);
  if (op == "required") return CheckRequired(one);
  if (op == "preferred") return CheckPreferred(one);
  return "unknown op " + std::string(op);
}

constexpr std::array<Check, 2> kChecks{{
    {"toleration_match", CheckToleration},
    {"nodeaffinity_match", CheckNodeAffinity},
}};

}  // namespace

std::span<const Check> MatchChecks() { return kChecks; }

}  // namespace plimsoll::golden
