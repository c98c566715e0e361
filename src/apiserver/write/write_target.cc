#include "apiserver/write/write_target.h"

#include <algorithm>
#include <string_view>

#include "api/field_error.h"
#include "apiserver/limits.h"
#include "apiserver/request/query_flag.h"
#include "base/go_text.h"
#include "base/text/utf8.h"

namespace plimsoll::apiserver {
namespace {

using api::FieldErrors;
using api::FieldPath;

/// Returns the first UTF-8 character, or the first byte if it is not valid UTF-8.
std::string_view FirstRune(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(Utf8Bytes(text), 1));
}

/// Returns true if Go's unicode.IsPrint does. GoQuote escapes all others.
bool IsPrintableRune(std::string_view rune) {
  return rune == "\"" || rune == "\\" || GoQuote(rune)[1] != '\\';
}

bool IsPrintableText(std::string_view text) {
  while (!text.empty()) {
    const std::string_view rune = FirstRune(text);
    if (!IsPrintableRune(rune)) return false;
    text.remove_prefix(rune.size());
  }
  return true;
}

std::string_view NameOf(OptionsKind kind) {
  switch (kind) {
    case OptionsKind::CreateOptions:
      return "CreateOptions";
    case OptionsKind::UpdateOptions:
      return "UpdateOptions";
    case OptionsKind::PatchOptions:
      return "PatchOptions";
  }
  return {};
}

void CheckFieldManager(std::string_view manager, FieldErrors& errors) {
  const FieldPath at("fieldManager");
  if (manager.size() > kFieldManagerBytesMax) errors.TooLong(at, kFieldManagerBytesMax);
  if (!IsPrintableText(manager)) {
    errors.Invalid(at, manager, "should only contain printable characters");
  }
}

api::FieldValidation CheckFieldValidation(std::string_view text, FieldErrors& errors) {
  if (text.empty() || text == "Warn") return api::FieldValidation::Warn;
  if (text == "Ignore") return api::FieldValidation::Ignore;
  if (text == "Strict") return api::FieldValidation::Strict;
  errors.NotSupported(FieldPath("fieldValidation"), api::BadValue::String(text),
                      {"", "Ignore", "Strict", "Warn"});
  return api::FieldValidation::Warn;
}

}  // namespace

bool CheckDryRun(const std::vector<std::string_view>& values, FieldErrors& errors) {
  if (std::ranges::all_of(values, [](std::string_view text) { return text == "All"; })) {
    return !values.empty();
  }
  std::string json;
  for (const std::string_view text : values) json += (json.empty() ? "[" : ",") + GoJsonQuote(text);
  errors.NotSupported(FieldPath("dryRun"), api::BadValue::Json(json + "]"), {"All"});
  return false;
}

std::vector<std::string_view> QueryValues(const net::Target& target, std::string_view name) {
  std::vector<std::string_view> out;
  for (const auto& [key, value] : target.query) {
    if (key == name) out.push_back(value);
  }
  return out;
}

std::string ManagerFromUserAgent(std::string_view user_agent) {
  std::string out;
  std::string_view rest = user_agent.substr(0, user_agent.find('/'));
  while (!rest.empty()) {
    const std::string_view rune = FirstRune(rest);
    rest.remove_prefix(rune.size());
    if (!IsPrintableRune(rune)) continue;
    if (out.size() + rune.size() > kFieldManagerBytesMax) break;
    out += rune;
  }
  return out;
}

WriteTarget TargetOf(ApiRequest& request) {
  WriteTarget target;
  target.resource = request.resource;
  target.subresource = request.info.subresource;
  if (request.info.scope == Scope::Namespace) target.namespace_ = request.info.namespace_;
  target.name = request.info.name;
  target.user = &request.user;
  target.received = request.received;
  target.warnings = &request.warnings;
  target.audit = request.audit.get();
  return target;
}

api::Answer<WriteTarget> ReadWriteTarget(ApiRequest& request, OptionsKind kind, bool is_apply) {
  WriteTarget target = TargetOf(request);

  FieldErrors errors;
  const std::string_view manager = request.target.Query("fieldManager");
  if (kind == OptionsKind::PatchOptions) {
    if (is_apply && manager.empty()) {
      errors.Required(FieldPath("fieldManager"), "is required for apply patch");
    }
    if (!is_apply && request.target.HasQuery("force")) {
      errors.Forbidden(FieldPath("force"), "may not be specified for non-apply patch");
    }
    target.is_forced = QueryFlag(request.target, "force");
  }
  CheckFieldManager(manager, errors);
  target.is_dry_run = CheckDryRun(QueryValues(request.target, "dryRun"), errors);
  target.field_validation = CheckFieldValidation(request.target.Query("fieldValidation"), errors);
  if (!errors.empty()) {
    return std::unexpected(api::Invalid("meta.k8s.io", NameOf(kind), "", errors));
  }
  target.field_manager = manager.empty()
                             ? ManagerFromUserAgent(request.http.headers.Find("User-Agent"))
                             : std::string(manager);
  return target;
}

}  // namespace plimsoll::apiserver
