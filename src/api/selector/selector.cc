#include "api/selector/selector.h"

#include <algorithm>
#include <optional>

#include "base/go_text.h"

namespace plimsoll::api {
namespace {

std::optional<SelectorOperator> ObjectOperator(std::string_view text) {
  if (text == "In") return SelectorOperator::In;
  if (text == "NotIn") return SelectorOperator::NotIn;
  if (text == "Exists") return SelectorOperator::Exists;
  if (text == "DoesNotExist") return SelectorOperator::DoesNotExist;
  return std::nullopt;
}

}  // namespace

Selector Selector::Nothing() {
  Selector out;
  out.is_selectable_ = false;
  return out;
}

Selector Selector::Of(std::vector<Requirement> requirements) {
  Selector out;
  out.requirements_ = std::move(requirements);
  std::ranges::stable_sort(out.requirements_, {}, &Requirement::key);
  return out;
}

Result<Selector> Selector::FromObject(const LabelSelector* object) {
  if (object == nullptr) return Nothing();
  std::vector<Requirement> requirements;
  requirements.reserve(object->match_labels.size() + object->match_expressions.size());
  for (const auto& [key, value] : object->match_labels) {
    requirements.push_back(
        PL_TRY(Requirement::Make(key, SelectorOperator::Equals, std::span(&value, 1))));
  }
  for (const LabelSelectorRequirement& expression : object->match_expressions) {
    const std::optional<SelectorOperator> op = ObjectOperator(expression.op);
    if (!op) {
      return Fail(Reason::Invalid,
                  GoQuote(expression.op) + " is not a valid label selector operator");
    }
    requirements.push_back(PL_TRY(Requirement::Make(expression.key, *op, expression.values)));
  }
  return Of(std::move(requirements));
}

bool Selector::Matches(const StringMap& labels) const {
  return is_selectable_ && std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
           return requirement.Matches(labels);
         });
}

std::string Selector::Text() const {
  std::string out;
  for (const Requirement& requirement : requirements_) {
    if (!out.empty()) out += ',';
    out += requirement.Text();
  }
  return out;
}

std::string FormatLabelSelector(const LabelSelector* object) {
  const Result<Selector> selector = Selector::FromObject(object);
  if (!selector) return "<error>";
  std::string text = selector->Text();
  return text.empty() ? "<none>" : text;
}

}  // namespace plimsoll::api
