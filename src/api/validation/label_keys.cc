#include "api/validation/label_keys.h"

#include <map>
#include <set>

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
  std::map<std::string_view, std::size_t> last;  // last index of each key
  for (std::size_t i = 0; i < keys.size(); ++i) last[keys[i]] = i;
  SeenTexts seen;
  for (const auto& [key, value] : selector.match_labels) seen.Insert(key);
  for (const LabelSelectorRequirement& expression : selector.match_expressions) {
    const bool is_new = seen.Insert(expression.key);
    const auto found = last.find(expression.key);
    if (is_new || found == last.end()) continue;
    errors.Invalid(at[found->second], expression.key,
                   "exists in both matchLabelKeys and labelSelector");
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
  const std::set<std::string_view> mismatch(mismatch_keys.begin(), mismatch_keys.end());
  for (std::size_t i = 0; i < match_keys.size(); ++i) {
    if (!mismatch.contains(match_keys[i])) continue;
    errors.Invalid(match_path[i], match_keys[i],
                   "exists in both matchLabelKeys and mismatchLabelKeys");
  }
}

}  // namespace plimsoll::api
