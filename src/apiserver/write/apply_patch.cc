#include <fmt/format.h>

#include "api/apply/apply.h"
#include "api/defaults/defaults.h"
#include "api/defaults/stored_form.h"
#include "apiserver/limits.h"
#include "apiserver/write/body.h"
#include "apiserver/write/field_tracking.h"
#include "apiserver/write/patch.h"
#include "base/go_text.h"
#include "codec/go_kind.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

std::unexpected<api::StatusObject> Refuse(const Error& error) {
  if (error.reason == Reason::BadRequest) {
    return std::unexpected(api::BadRequest(error.message));
  }
  return std::unexpected(api::StatusObject{
      .code = 500, .reason = {}, .message = error.message, .details = {}, .is_success = false});
}

api::StatusObject ConflictOf(api::ApplyResult result) {
  api::StatusDetails details;
  for (api::ApplyConflict& conflict : result.conflicts) {
    details.causes.push_back({.reason = "FieldManagerConflict",
                              .message = std::move(conflict.message),
                              .field = std::move(conflict.field)});
  }
  return {.code = 409,
          .reason = "Conflict",
          .message = std::move(result.conflict_message),
          .details = std::move(details),
          .is_success = false};
}

/// Reports duplicate keys with the text of upstream's strict YAML decoder.
api::Answer<void> ReportDuplicateKeys(const WriteTarget& target, const codec::Document& config) {
  if (config.duplicates().empty() || target.field_validation == api::FieldValidation::Ignore) {
    return {};
  }
  std::string text = "error converting YAML to JSON: yaml: unmarshal errors:";
  for (const codec::DuplicateKey& key : config.duplicates()) {
    const std::string name = key.path.substr(key.path.rfind('.') + 1);
    text += fmt::format("\n  line {}: key {} already set in map", key.line, GoQuote(name));
  }
  if (target.field_validation == api::FieldValidation::Strict) {
    return std::unexpected(api::BadRequest("error strict decoding YAML: " + text));
  }
  target.warnings->push_back(std::move(text));
  return {};
}

api::Answer<std::unique_ptr<codec::Document>> ReadConfiguration(std::string_view body) {
  auto parsed = codec::ParseYaml(body, {.bytes_max = kBodyBytesMax});
  if (!parsed) {
    return std::unexpected(api::BadRequest("error decoding YAML: " + parsed.error().message));
  }
  if (parsed->empty()) {
    auto empty = std::make_unique<codec::Document>();
    empty->root() = empty->NewObject();
    return empty;
  }
  const Value& root = parsed->front()->root();
  if (!root.is_object()) {
    return std::unexpected(api::BadRequest(
        fmt::format("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: "
                    "cannot unmarshal {} into Go value of type map[string]interface {{}}",
                    codec::GoKindText(root))));
  }
  return std::move(parsed->front());
}

}  // namespace

api::Answer<Draft> ApplyConfiguration(const WriteTarget& target, std::string_view body,
                                      const api::Object* before, const WriteParts& parts) {
  const api::KindDesc& kind = *target.resource->kind;
  const auto config = PL_TRY(ReadConfiguration(body));
  auto draft = std::make_shared<codec::Document>();
  Result<api::ApplyResult> applied =
      api::Apply(*draft, before == nullptr ? nullptr : &before->tree(), config->root(),
                 {.writer = FieldWriterOf(target, parts), .is_forced = target.is_forced});
  if (!applied) return Refuse(applied.error());
  if (!applied->conflicts.empty()) return std::unexpected(ConflictOf(std::move(*applied)));
  PL_TRY(ReportDuplicateKeys(target, *config));
  draft->root() = applied->object;
  std::vector<api::StrictFinding> findings;
  const Status conformed =
      api::Conform(*draft, draft->root(), *kind.type, api::FieldValidation::Ignore, findings);
  if (!conformed) return Refuse(conformed.error());
  SetKind(*draft, kind);
  api::ApplyDefaults(*draft, draft->root(), *kind.type);
  api::PutInStoredForm(*draft, draft->root(), *kind.type);
  return draft;
}

}  // namespace plimsoll::apiserver
