#include "apiserver/write/delete_options.h"

#include <fmt/format.h>

#include <array>

#include "api/schema/conform.h"
#include "api/schema/fields.h"
#include "apiserver/audit/request_object.h"
#include "apiserver/request/query_flag.h"
#include "apiserver/strategy/object_editor.h"
#include "apiserver/write/body.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

/// DeleteOptions of all groups are the same.
const api::KindDesc& OptionsKindDesc() {
  static const api::KindDesc kind{
      .group = "meta.k8s.io",
      .version = "v1",
      .kind = "DeleteOptions",
      .type = &api::Describe(api::fields::meta_v1::DeleteOptions::kTypeId)};
  return kind;
}

api::Answer<DeleteOptions> ReadFromBody(const ApiRequest& request,
                                        std::vector<std::string_view>& dry_run, Draft& kept) {
  const api::KindDesc& kind = OptionsKindDesc();
  kept = PL_TRY(ReadBody(request, kind));
  Value& tree = kept->root();
  if (tree.is_null()) return DeleteOptions{};
  if (tree.is_object() && !TextAt(tree, "kind").empty() && TextAt(tree, "kind") != kind.kind) {
    return std::unexpected(api::BadRequest("decoded object cannot be converted to DeleteOptions"));
  }
  std::vector<api::StrictFinding> findings;
  const Status conformed =
      api::Conform(*kept, tree, *kind.type, api::FieldValidation::Ignore, findings);
  if (!conformed) return std::unexpected(api::BadRequest(conformed.error().message));

  AuditRequestObject(request, tree);

  const ObjectEditor place(*kept, kind);
  DeleteOptions options;
  if (place.Has("gracePeriodSeconds"))
    options.grace_period_seconds = place.Int("gracePeriodSeconds");
  if (place.Has("orphanDependents")) options.orphan_dependents = place.Bool("orphanDependents");
  if (place.Has("propagationPolicy")) options.propagation_policy = place.Text("propagationPolicy");
  if (const Value* conditions = place.Find("preconditions")) {
    if (conditions->Find("uid") != nullptr) options.uid = TextAt(*conditions, "uid");
    if (conditions->Find("resourceVersion") != nullptr) {
      options.resource_version = TextAt(*conditions, "resourceVersion");
    }
  }
  if (const Value* values = place.Find("dryRun")) {
    for (const Value& value : values->items()) dry_run.push_back(value.text());
  }
  return options;
}

api::Answer<DeleteOptions> ReadFromQuery(const net::Target& target) {
  DeleteOptions options;
  if (target.HasQuery("gracePeriodSeconds")) {
    const Result<std::int64_t> seconds = GoParseInt(target.Query("gracePeriodSeconds"));
    if (!seconds) return std::unexpected(api::BadRequest(seconds.error().message));
    options.grace_period_seconds = *seconds;
  }
  if (target.HasQuery("orphanDependents")) {
    options.orphan_dependents = IsTrueText(target.Query("orphanDependents"));
  }
  if (target.HasQuery("propagationPolicy")) {
    options.propagation_policy = target.Query("propagationPolicy");
  }
  return options;
}

void CheckPolicy(const DeleteOptions& options, api::FieldErrors& errors) {
  if (!options.propagation_policy) return;
  const api::FieldPath at("propagationPolicy");
  const std::string& policy = *options.propagation_policy;
  if (options.orphan_dependents) {
    errors.Invalid(at, api::BadValue::TypedString(policy),
                   "orphanDependents and deletionPropagation cannot be both set");
  }
  if (policy != "Foreground" && policy != "Background" && policy != "Orphan") {
    errors.NotSupported(at, api::BadValue::TypedString(policy),
                        {"Foreground", "Background", "Orphan", "nil"});
  }
}

}  // namespace

api::Answer<DeleteOptions> ReadDeleteOptions(const ApiRequest& request) {
  std::vector<std::string_view> dry_run;
  Draft kept;
  const bool has_body = !request.http.body.empty();
  DeleteOptions options =
      PL_TRY(has_body ? ReadFromBody(request, dry_run, kept) : ReadFromQuery(request.target));
  if (!has_body) dry_run = QueryValues(request.target, "dryRun");
  api::FieldErrors errors;
  CheckPolicy(options, errors);
  options.is_dry_run = CheckDryRun(dry_run, errors);
  if (!errors.empty()) {
    return std::unexpected(api::Invalid("meta.k8s.io", "DeleteOptions", "", errors));
  }
  return options;
}

}  // namespace plimsoll::apiserver
