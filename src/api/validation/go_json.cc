#include "api/validation/go_json.h"

#include "base/go_text.h"

namespace plimsoll::api {
namespace {

template <class List, class Print>
std::string ListJson(const List& list, Print print) {
  if (list.empty()) return "null";
  std::string out = "[";
  for (const auto& one : list) {
    if (out.size() > 1) out += ',';
    out += print(one);
  }
  return out + "]";
}

std::string BoolText(bool value) { return value ? "true" : "false"; }

std::string RequirementJson(const NodeSelectorRequirement& requirement) {
  return R"({"Key":)" + GoJsonQuote(requirement.key) + R"(,"Operator":)" +
         GoJsonQuote(requirement.op) + R"(,"Values":)" + GoJson(requirement.values) + "}";
}

std::string LabelRequirementJson(const LabelSelectorRequirement& requirement) {
  std::string out =
      R"({"key":)" + GoJsonQuote(requirement.key) + R"(,"operator":)" + GoJsonQuote(requirement.op);
  if (!requirement.values.empty()) out += R"(,"values":)" + GoJson(requirement.values);
  return out + "}";
}

}  // namespace

std::string GoJson(const Taint& taint) {
  return R"({"Key":)" + GoJsonQuote(taint.key) + R"(,"Value":)" + GoJsonQuote(taint.value) +
         R"(,"Effect":)" + GoJsonQuote(taint.effect) + R"(,"TimeAdded":)" +
         (taint.time_added.empty() ? "null" : GoJsonQuote(taint.time_added)) + "}";
}

std::string GoJson(const PodResourceClaim& claim) {
  const auto quoted = [](const std::optional<std::string_view>& text) {
    return text ? GoJsonQuote(*text) : "null";
  };
  return R"({"Name":)" + GoJsonQuote(claim.name) + R"(,"ResourceClaimName":)" +
         quoted(claim.resource_claim_name) + R"(,"ResourceClaimTemplateName":)" +
         quoted(claim.resource_claim_template_name) + "}";
}

std::string GoJson(const NodeSelectorTerm& term) {
  return R"({"MatchExpressions":)" + ListJson(term.match_expressions, RequirementJson) +
         R"(,"MatchFields":)" + ListJson(term.match_fields, RequirementJson) + "}";
}

std::string GoJson(std::span<const NodeSelectorTerm> terms) {
  return ListJson(terms, [](const NodeSelectorTerm& term) { return GoJson(term); });
}

std::string GoJson(const VolumeNodeAffinity& affinity) {
  if (!affinity.required) return R"({"Required":null})";
  return R"({"Required":{"NodeSelectorTerms":)" + GoJson(std::span(affinity.required->terms)) +
         "}}";
}

std::string GoJson(const StringMap& map) {
  if (map.empty()) return "null";
  std::string out = "{";
  for (const auto& [key, value] : map) {
    if (out.size() > 1) out += ',';
    out += GoJsonQuote(key) + ":" + GoJsonQuote(value);
  }
  return out + "}";
}

std::string GoJson(const LabelSelector& selector) {
  std::string out = "{";
  if (!selector.match_labels.empty()) out += R"("matchLabels":)" + GoJson(selector.match_labels);
  if (!selector.match_expressions.empty()) {
    if (out.size() > 1) out += ',';
    out += R"("matchExpressions":)" + ListJson(selector.match_expressions, LabelRequirementJson);
  }
  return out + "}";
}

std::string GoJson(const OwnerReference& owner) {
  std::string out = R"({"apiVersion":)" + GoJsonQuote(owner.api_version) + R"(,"kind":)" +
                    GoJsonQuote(owner.kind) + R"(,"name":)" + GoJsonQuote(owner.name) +
                    R"(,"uid":)" + GoJsonQuote(owner.uid);
  if (owner.controller) out += R"(,"controller":)" + BoolText(*owner.controller);
  if (owner.block_owner_deletion) {
    out += R"(,"blockOwnerDeletion":)" + BoolText(*owner.block_owner_deletion);
  }
  return out + "}";
}

std::string GoJson(std::span<const OwnerReference> owners) {
  return ListJson(owners, [](const OwnerReference& owner) { return GoJson(owner); });
}

std::string GoJson(std::span<const std::string_view> texts) {
  return ListJson(texts, [](std::string_view text) { return GoJsonQuote(text); });
}

}  // namespace plimsoll::api
