#include "api/validation/label_keys.h"

#include <algorithm>

#include "api/validation/labels.h"
#include "api/validation/seen_texts.h"

namespace plimsoll::api {
namespace {

using Keys = std::vector<std::string_view>;

void ValidateNames(const Keys& keys, bool has_selector, const FieldPath& at, FieldErrors& errors) {
  if (keys.empty()) return;
  if (!has_selector) {
    return errors.Forbidden(at, "must not be specified when labelSelector is not set");
  }
  for (std::size_t i = 0; i < keys.size(); ++i) ValidateLabelName(keys[i], at[i], errors);
}

void ValidateNotSelected(const Keys& keys, const LabelSelector& selector, const FieldPath& at,
                         FieldErrors& errors) {
  SeenTexts seen;
  for (const auto& [key, value] : selector.match_labels) seen.Insert(key);
  for (const LabelSelectorRequirement& expression : selector.match_expressions) {
    const bool is_new = seen.Insert(expression.key);
    const auto found = std::ranges::find(keys.rbegin(), keys.rend(), expression.key);
    if (is_new || found == keys.rend()) continue;
    const auto index = static_cast<std::size_t>(keys.rend() - found - 1);
    errors.Invalid(at[index], expression.key, "exists in both matchLabelKeys and labelSelector");
  }
}

}  // namespace

void ValidateLabelKeys(const Keys& match_keys, const Keys& mismatch_keys,
                       const std::optional<LabelSelector>& selector, const FieldPath& at,
                       FieldErrors& errors) {
  const FieldPath match_path = at / "matchLabelKeys";
  ValidateNames(match_keys, selector.has_value(), match_path, errors);
  ValidateNames(mismatch_keys, selector.has_value(), at / "mismatchLabelKeys", errors);
  if (selector && !match_keys.empty()) ValidateNotSelected(match_keys, *selector, at, errors);
  for (std::size_t i = 0; i < match_keys.size(); ++i) {
    if (std::ranges::find(mismatch_keys, match_keys[i]) == mismatch_keys.end()) continue;
    errors.Invalid(match_path[i], match_keys[i],
                   "exists in both matchLabelKeys and mismatchLabelKeys");
  }
}

}  // namespace plimsoll::api
