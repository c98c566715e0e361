#include "apiserver/read/list_options.h"

#include <fmt/format.h>

#include "api/selector/selectable_fields.h"
#include "apiserver/request/query_flag.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kExact = "Exact";
constexpr std::string_view kNotOlderThan = "NotOlderThan";

std::optional<bool> ReadBool(const net::Target& target, std::string_view name) {
  if (!target.HasQuery(name)) return std::nullopt;
  return IsTrueText(target.Query(name));
}

api::Answer<std::optional<std::int64_t>> ReadInt(const net::Target& target, std::string_view name) {
  const std::string_view text = target.Query(name);
  if (text.empty()) return std::nullopt;
  const auto number = GoParseInt(text);
  if (!number) return std::unexpected(api::BadRequest(number.error().message));
  return *number;
}

/// Escapes the value for a field selector.
std::string EscapeValue(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
  return out;
}

/// Parses a field selector and converts its labels to those of the stored kind.
api::Answer<api::FieldSelector> ReadFields(const Resource& resource, std::string_view text) {
  const auto parsed = api::FieldSelector::Parse(text);
  if (!parsed) return std::unexpected(api::BadRequest(parsed.error().message));
  std::string resolved;
  for (const api::FieldRequirement& requirement : parsed->requirements()) {
    const auto label = api::ResolveFieldLabel(*resource.kind, requirement.field);
    if (!label) {
      return std::unexpected(
          api::BadRequest(fmt::format("field label not supported: {}", requirement.field)));
    }
    if (!resolved.empty()) resolved += ',';
    resolved += fmt::format("{}{}{}", *label,
                            requirement.is_equal ? "=" : "!=", EscapeValue(requirement.value));
  }
  const auto selector = api::FieldSelector::Parse(resolved);
  if (!selector) return std::unexpected(api::BadRequest(selector.error().message));
  return *selector;
}

/// Returns the errors of invalid combinations of parameters.
api::FieldErrors Validate(const net::Target& target, bool is_watch) {
  api::FieldErrors errors;
  const api::FieldPath match_path("resourceVersionMatch");
  const api::FieldPath initial_path("sendInitialEvents");
  const std::string_view match = target.Query("resourceVersionMatch");
  const bool has_initial = target.HasQuery("sendInitialEvents");
  const bool has_continue = !target.Query("continue").empty();
  if (!is_watch) {
    if (!match.empty()) {
      if (target.Query("resourceVersion").empty()) {
        errors.Forbidden(match_path,
                         "resourceVersionMatch is forbidden unless resourceVersion is provided");
      }
      if (has_continue) {
        errors.Forbidden(match_path, "resourceVersionMatch is forbidden when continue is provided");
      }
      if (match != kExact && match != kNotOlderThan) {
        errors.NotSupported(match_path, api::BadValue::TypedString(match),
                            {kExact, kNotOlderThan, ""});
      }
      if (match == kExact && target.Query("resourceVersion") == "0") {
        errors.Forbidden(match_path,
                         "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
      }
    }
    if (has_initial) errors.Forbidden(initial_path, "sendInitialEvents is forbidden for list");
    return errors;
  }
  if (has_initial && match != kNotOlderThan) {
    errors.Forbidden(match_path,
                     "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (!match.empty()) {
    if (!has_initial) {
      errors.Forbidden(
          match_path,
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    if (match != kNotOlderThan) {
      errors.NotSupported(match_path, api::BadValue::TypedString(match), {kNotOlderThan});
    }
    if (has_continue) {
      errors.Forbidden(match_path, "resourceVersionMatch is forbidden when continue is provided");
    }
  }
  return errors;
}

}  // namespace

std::string_view NamespaceOf(const ApiRequest& request) {
  return request.info.scope == Scope::Namespace ? std::string_view(request.info.namespace_) : "";
}

api::Answer<Freshness> ReadFreshness(std::string_view resource_version) {
  using Kind = Freshness::Kind;
  if (resource_version.empty()) return Freshness{Kind::MostRecent, {}};
  const auto number = GoParseUint(resource_version);
  if (!number || *number > static_cast<std::uint64_t>(INT64_MAX)) {
    api::FieldErrors errors;
    errors.Invalid(api::FieldPath("resourceVersion"), resource_version,
                   number ? "value out of range" : number.error().message);
    api::StatusObject status;
    status.code = 500;
    status.message = errors.Text();
    return std::unexpected(std::move(status));
  }
  if (*number == 0) return Freshness{Kind::AnyCached, {}};
  return Freshness{Kind::NotOlderThan, store::Revision{static_cast<std::int64_t>(*number)}};
}

api::Answer<ListOptions> ReadListOptions(const ApiRequest& request, bool is_watch) {
  const net::Target& target = request.target;
  ListOptions options;
  const auto labels = api::Selector::Parse(target.Query("labelSelector"));
  if (!labels) return std::unexpected(api::BadRequest(labels.error().message));
  options.selection.labels = *labels;
  options.selection.namespace_ = NamespaceOf(request);
  options.limit = PL_TRY(ReadInt(target, "limit")).value_or(0);
  if (options.limit < 0) options.limit = 0;
  options.timeout_seconds = PL_TRY(ReadInt(target, "timeoutSeconds"));
  options.continue_token = target.Query("continue");
  options.allow_bookmarks = ReadBool(target, "allowWatchBookmarks").value_or(false);
  options.send_initial_events = ReadBool(target, "sendInitialEvents");
  if (const api::FieldErrors errors = Validate(target, is_watch); !errors.empty()) {
    return std::unexpected(api::Invalid("meta.k8s.io", "ListOptions", "", errors));
  }
  options.selection.fields = PL_TRY(ReadFields(*request.resource, target.Query("fieldSelector")));
  const std::string_view version = target.Query("resourceVersion");
  if (!options.continue_token.empty() && !version.empty() && version != "0") {
    return std::unexpected(
        api::BadRequest("specifying resource version is not allowed when using continue"));
  }
  auto freshness = ReadFreshness(version);
  if (!freshness && !is_watch) {
    // Upstream validates the options of a list first; a get or watch fails with the read's error.
    return std::unexpected(
        api::BadRequest("invalid resource version: " + freshness.error().message));
  }
  options.freshness = PL_TRY(std::move(freshness));
  if (!is_watch && target.Query("resourceVersionMatch") == kExact) {
    options.freshness.kind = Freshness::Kind::Exact;
  }
  return options;
}

}  // namespace plimsoll::apiserver
