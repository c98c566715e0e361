#include <array>
#include <vector>

#include "api/selector/field_selector.h"
#include "api/selector/selector.h"
#include "base/go_text.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using codec::Value;

std::string_view TextOf(const Value* value) {
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

api::StringMap MapOf(const Value* value) {
  std::vector<api::StringMap::Entry> entries;
  if (value != nullptr) {
    for (const codec::Member& member : value->members()) {
      entries.emplace_back(member.key, TextOf(&member.value));
    }
  }
  return api::StringMap(std::move(entries));
}

api::LabelSelector LabelSelectorOf(const Value& value) {
  api::LabelSelector out{.match_labels = MapOf(value.Find("matchLabels"))};
  const Value* expressions = value.Find("matchExpressions");
  if (expressions == nullptr) return out;
  for (const Value& one : expressions->items()) {
    api::LabelSelectorRequirement& requirement = out.match_expressions.emplace_back();
    requirement.key = TextOf(one.Find("key"));
    requirement.op = TextOf(one.Find("operator"));
    const Value* values = one.Find("values");
    if (values == nullptr) continue;
    for (const Value& text : values->items()) requirement.values.push_back(TextOf(&text));
  }
  return out;
}

std::string BoolText(bool value) { return value ? "true" : "false"; }

template <class S>
std::string MatchesJson(const S& selector, const Value* sets) {
  std::string out = "[";
  for (const Value& one : sets->items()) {
    if (out.size() > 1) out += ',';
    out += BoolText(selector.Matches(MapOf(&one)));
  }
  return out + "]";
}

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

std::string RequirementJson(const api::Requirement& requirement) {
  std::string values;
  for (const std::string& value : requirement.values()) {
    values += (values.empty() ? "" : ",") + GoJsonQuote(value);
  }
  return "{\"key\":" + GoJsonQuote(requirement.key()) +
         ",\"op\":" + GoJsonQuote(ToText(requirement.op())) + ",\"values\":[" + values + "]}";
}

std::string FieldRequirementJson(const api::FieldRequirement& requirement) {
  return "{\"field\":" + GoJsonQuote(requirement.field) + ",\"op\":\"" +
         (requirement.is_equal ? "=" : "!=") + "\",\"value\":" + GoJsonQuote(requirement.value) +
         "}";
}

std::string ErrorJson(const Error& error) {
  return "{\"error\":" + GoJsonQuote(error.message) + "}";
}

std::string AnswerParse(const Value& input) {
  const Result<api::Selector> selector = api::Selector::Parse(TextOf(input.Find("s")));
  if (!selector) return ErrorJson(selector.error());
  return "{\"empty\":" + BoolText(selector->empty()) +
         ",\"matches\":" + MatchesJson(*selector, input.Find("labelSets")) +
         ",\"requirements\":" + ListJson(selector->requirements(), RequirementJson) +
         ",\"selectable\":" + BoolText(selector->is_selectable()) +
         ",\"string\":" + GoJsonQuote(selector->Text()) + "}";
}

std::string AnswerObject(const Value& input) {
  const Value* object = input.Find("labelSelector");
  const bool is_given = object != nullptr && !object->is_null();
  const api::LabelSelector labels = is_given ? LabelSelectorOf(*object) : api::LabelSelector{};
  const api::LabelSelector* const given = is_given ? &labels : nullptr;
  const std::string format = ",\"format\":" + GoJsonQuote(api::FormatLabelSelector(given));
  const Result<api::Selector> selector = api::Selector::FromObject(given);
  if (!selector) return "{\"error\":" + GoJsonQuote(selector.error().message) + format + "}";
  return "{\"matches\":" + MatchesJson(*selector, input.Find("labelSets")) + format +
         ",\"string\":" + GoJsonQuote(selector->Text()) + "}";
}

Mismatch CheckLabelSelector(Case& one) {
  const std::string_view op = TextOf(one.input.Find("op"));
  if (op == "parse") return DifferJson("answer", one.expect, AnswerParse(one.input));
  if (op == "labelSelector") return DifferJson("answer", one.expect, AnswerObject(one.input));
  return "unknown op " + std::string(op);
}

Mismatch CheckFieldSelector(Case& one) {
  const Result<api::FieldSelector> selector =
      api::FieldSelector::Parse(TextOf(one.input.Find("s")));
  if (!selector) return DifferJson("answer", one.expect, ErrorJson(selector.error()));
  return DifferJson(
      "answer", one.expect,
      "{\"empty\":" + BoolText(selector->empty()) +
          ",\"matches\":" + MatchesJson(*selector, one.input.Find("fieldSets")) +
          ",\"requirements\":" + ListJson(selector->requirements(), FieldRequirementJson) +
          ",\"string\":" + GoJsonQuote(selector->Text()) + "}");
}

}  // namespace

std::span<const Check> SelectorChecks() {
  static constexpr std::array kChecks{
      Check{.kind = "labelselector", .run = CheckLabelSelector},
      Check{.kind = "fieldselector", .run = CheckFieldSelector},
  };
  return kChecks;
}

}  // namespace plimsoll::golden
