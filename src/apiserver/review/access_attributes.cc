#include "apiserver/review/access_attributes.h"

#include <string>

#include "apiserver/authz/policy_rule.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

const Value* FindObject(const Value& tree, std::string_view key) {
  const Value* const found = tree.Find(key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

/// Returns the selector in the form of the query parameter. Omits requirements that this form
/// cannot express. That is safe: the selector then matches more objects.
std::string ReadFieldSelector(const Value& attributes) {
  const Value* const selector = FindObject(attributes, "fieldSelector");
  if (selector == nullptr) return {};
  std::string text(TextAt(*selector, "rawSelector"));
  const Value* const requirements = selector->Find("requirements");
  if (requirements == nullptr) return text;
  for (const Value& requirement : requirements->items()) {
    const std::vector<std::string> values = ReadTexts(requirement.Find("values"));
    if (TextAt(requirement, "operator") != "In" || values.size() != 1) continue;
    if (values[0].find_first_of(",=!\\") != std::string::npos) continue;
    if (!text.empty()) text += ',';
    text.append(TextAt(requirement, "key")).append("=").append(values[0]);
  }
  return text;
}

void ValidateSelector(const Value& attributes, std::string_view key, const api::FieldPath& at,
                      api::FieldErrors& errors) {
  const Value* const selector = FindObject(attributes, key);
  if (selector == nullptr) return;
  const api::FieldPath path = at / key;
  const std::string_view raw = TextAt(*selector, "rawSelector");
  const Value* const requirements = selector->Find("requirements");
  const bool has_requirements = requirements != nullptr && !requirements->items().empty();
  if (!raw.empty() && has_requirements) {
    errors.Invalid(path / "rawSelector", raw, "may not specified at the same time as requirements");
  }
  if (raw.empty() && !has_requirements) {
    errors.Required(path / "requirements", "when " + path.Text() +
                                               " is specified, requirements or rawSelector is "
                                               "required");
  }
}

/// Upstream's internal types have no JSON names, so its message shows the Go names.
std::string ShowNonResource(const Value& attributes) {
  codec::Document document;
  Value shown = document.NewObject(2);
  document.Set(shown, "Path", document.NewString(TextAt(attributes, "path")));
  document.Set(shown, "Verb", document.NewString(TextAt(attributes, "verb")));
  return codec::WriteJson(shown);
}

}  // namespace

RequestInfo ReadAttributes(const Value& spec) {
  RequestInfo what;
  if (const Value* const attributes = FindObject(spec, "resourceAttributes")) {
    what.is_resource_request = true;
    what.namespace_ = TextAt(*attributes, "namespace");
    what.verb = TextAt(*attributes, "verb");
    what.group = TextAt(*attributes, "group");
    what.version = TextAt(*attributes, "version");
    what.resource = TextAt(*attributes, "resource");
    what.subresource = TextAt(*attributes, "subresource");
    what.name = TextAt(*attributes, "name");
    what.field_selector = ReadFieldSelector(*attributes);
  } else if (const Value* const path = FindObject(spec, "nonResourceAttributes")) {
    what.verb = TextAt(*path, "verb");
    what.path = TextAt(*path, "path");
  }
  return what;
}

void ValidateAccessSpec(const Value& spec, bool has_subject, api::FieldErrors& errors) {
  const api::FieldPath path("spec");
  const Value* const resource = FindObject(spec, "resourceAttributes");
  const Value* const non_resource = FindObject(spec, "nonResourceAttributes");
  if (resource != nullptr && non_resource != nullptr) {
    errors.Invalid(path / "nonResourceAttributes",
                   api::BadValue::Json(ShowNonResource(*non_resource)),
                   "cannot be specified in combination with resourceAttributes");
  }
  if (resource == nullptr && non_resource == nullptr) {
    errors.Invalid(path / "resourceAttributes", api::BadValue::Null(),
                   "exactly one of nonResourceAttributes or resourceAttributes must be specified");
  }
  if (has_subject && TextAt(spec, "user").empty() && ReadTexts(spec.Find("groups")).empty()) {
    errors.Invalid(path / "user", "", "at least one of user or group must be specified");
  }
  if (resource == nullptr) return;
  const api::FieldPath attributes = path / "resourceAttributes";
  ValidateSelector(*resource, "fieldSelector", attributes, errors);
  ValidateSelector(*resource, "labelSelector", attributes, errors);
}

}  // namespace plimsoll::apiserver
