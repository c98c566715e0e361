#include "apiserver/write/patch.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "api/defaults/defaults.h"
#include "api/defaults/stored_form.h"
#include "api/patch/go_values.h"
#include "api/patch/strategic_merge.h"
#include "apiserver/audit/request_object.h"
#include "apiserver/limits.h"
#include "apiserver/resource/confidential.h"
#include "apiserver/response/media_range.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/body.h"
#include "apiserver/write/field_tracking.h"
#include "apiserver/write/metadata.h"
#include "apiserver/write/versions.h"
#include "apiserver/write/write_path.h"
#include "codec/go_kind.h"
#include "codec/json.h"
#include "codec/patch/go_syntax_error.h"
#include "codec/patch/json_patch.h"
#include "codec/patch/merge_patch.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

struct TypeRow {
  std::string_view media_type;
  PatchType type;
};
constexpr std::array kTypes = {
    TypeRow{"application/json-patch+json", PatchType::Json},
    TypeRow{"application/merge-patch+json", PatchType::Merge},
    TypeRow{"application/strategic-merge-patch+json", PatchType::StrategicMerge},
    TypeRow{"application/apply-patch+yaml", PatchType::Apply},
};

api::StatusObject Unprocessable() {
  return {.code = 422,
          .reason = "Invalid",
          .message = "the server rejected our request due to an error in our request",
          .details = api::StatusDetails{},
          .is_success = false};
}

/// Returns upstream's status for an error of the patch libraries.
api::StatusObject Refusal(const Error& error) {
  switch (error.reason) {
    case Reason::BadRequest:
      return api::BadRequest(error.message);
    case Reason::RequestEntityTooLarge:
      return api::EntityTooLarge(error.message);
    case Reason::Invalid:
      return Unprocessable();
    default:
      return {
          .code = 500, .reason = {}, .message = error.message, .details = {}, .is_success = false};
  }
}

/// Decodes the patch. Fails with BadRequest and the text of upstream's decoder for the type.
api::Answer<std::unique_ptr<codec::Document>> ReadPatch(const WriteTarget& target, PatchType type,
                                                        std::string_view body) {
  auto parsed = codec::ParseJson(std::string(body), {.bytes_max = kBodyBytesMax});
  const bool is_checked = target.field_validation != api::FieldValidation::Ignore;
  const std::string_view prefix =
      type != PatchType::StrategicMerge && is_checked ? "error decoding patch: " : "";
  const auto refuse = [&](std::string_view why) {
    return std::unexpected(api::BadRequest(fmt::format("{}{}", prefix, why)));
  };
  if (!parsed) {
    const auto fault = codec::GoSyntaxError(body);
    if (type == PatchType::Merge && !is_checked) return refuse("Invalid JSON Patch");
    return refuse(fault.value_or(parsed.error().message));
  }
  const Value& root = (*parsed)->root();
  if (type == PatchType::Json) {
    if (!root.is_array() && is_checked) {
      return refuse(
          fmt::format("json: cannot unmarshal {} into Go value of type "
                      "[]handlers.jsonPatchOp",
                      codec::GoKindText(root)));
    }
  } else if (!root.is_object() && (type == PatchType::StrategicMerge || is_checked)) {
    return refuse(
        fmt::format("json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                    codec::GoKindText(root)));
  }
  return std::move(*parsed);
}

Result<Value> RunPatch(PatchType type, codec::Document& out, const Value& original,
                       const Value& patch, const api::KindDesc& kind) {
  switch (type) {
    case PatchType::Json:
      return codec::ApplyJsonPatch(out, original, patch);
    case PatchType::Merge:
      return codec::ApplyMergePatch(out, original, patch);
    default:
      return api::ApplyStrategicMerge(out, original, patch, *kind.type);
  }
}

/// Upstream shows the patched object or the patch here. Shows neither for a Secret.
api::StatusObject BadResult(PatchType type, const api::KindDesc& kind, const Value& patch,
                            const std::string& patched, std::string_view why) {
  api::FieldErrors errors;
  std::string shown(kOmittedValue);
  if (!IsConfidential(kind)) {
    shown = type == PatchType::StrategicMerge ? api::GoText(patch) : patched;
  }
  errors.Invalid(api::FieldPath("patch"), shown, why);
  return api::Invalid("", "", "", errors);
}

/// Returns the errors of strict decoding of the patch: duplicate keys.
std::vector<std::string> Doubles(PatchType type, const codec::Document& patch) {
  std::vector<std::string> out;
  for (const codec::DuplicateKey& key : patch.duplicates()) {
    out.push_back(fmt::format("{}duplicate field \"{}\"",
                              type == PatchType::Json ? "json patch " : "", key.path));
  }
  return out;
}

/// Returns the patch type of a content type, or nullopt for another content type.
std::optional<PatchType> FindPatchType(std::string_view content_type) {
  for (const TypeRow& row : kTypes) {
    if (row.media_type == content_type) return row.type;
  }
  return std::nullopt;
}

/// Returns the patched object with defaults and managedFields. Unknown fields become warnings, or
/// an error under Strict. `body` is as sent. Not for Apply.
api::Answer<Draft> ApplyPatch(const WriteTarget& target, PatchType type, std::string_view body,
                              const api::Object& before, const WriteParts& parts) {
  const api::KindDesc& kind = *target.resource->kind;
  const auto patch = PL_TRY(ReadPatch(target, type, body));
  auto draft = std::make_shared<codec::Document>();
  Result<Value> patched = RunPatch(type, *draft, before.tree(), patch->root(), kind);
  if (!patched) return std::unexpected(Refusal(patched.error()));
  draft->root() = *patched;

  std::vector<api::StrictFinding> findings;
  const std::string text = codec::WriteJson(draft->root());
  const auto refuse = [&](std::string_view why) {
    return std::unexpected(BadResult(type, kind, patch->root(), text, why));
  };
  PL_TRY(CheckBodyKind(draft->root(), kind, text));
  // Warn instead of Strict: its findings are reported together with those of the patch.
  const auto mode = target.field_validation == api::FieldValidation::Ignore
                        ? api::FieldValidation::Ignore
                        : api::FieldValidation::Warn;
  const Status conformed = api::Conform(*draft, draft->root(), *kind.type, mode, findings);
  if (!conformed) return refuse(conformed.error().message);
  if (mode != api::FieldValidation::Ignore) {
    std::vector<std::string> told = Doubles(type, *patch);
    for (const api::StrictFinding& finding : findings) told.push_back(finding.Text());
    if (!told.empty() && target.field_validation == api::FieldValidation::Strict) {
      return refuse(fmt::format("strict decoding error: {}", fmt::join(told, ", ")));
    }
    target.warnings->insert(target.warnings->end(), told.begin(), told.end());
  }
  SetKind(*draft, kind);
  api::ApplyDefaults(*draft, draft->root(), *kind.type);
  api::PutInStoredForm(*draft, draft->root(), *kind.type);
  TrackFields(target, draft, &before, parts);
  return draft;
}

}  // namespace

api::Answer<net::Response> ServePatch(Writer& writer, ApiRequest& request) {
  const std::string_view header = request.http.headers.Find("Content-Type");
  const std::optional<PatchType> type = FindPatchType(header.substr(0, header.find(';')));
  if (!type) return std::unexpected(api::UnsupportedPatchType());
  const Negotiated wanted = PL_TRY(Negotiate(request));
  if (request.http.body.size() > kBodyBytesMax) {
    return std::unexpected(api::EntityTooLarge(fmt::format("limit is {}", kBodyBytesMax)));
  }
  AuditRequestPatch(request);
  const bool is_apply = *type == PatchType::Apply;
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::PatchOptions, is_apply));
  UpdateRules rules;
  // A status cannot exist before its object.
  rules.allows_create = is_apply && target.subresource.empty();
  const std::size_t told = request.warnings.size();
  const Change change = [&](const api::Object* stored) -> api::Answer<Draft> {
    request.warnings.resize(told);  // a retry adds these warnings again
    const auto served = PL_TRY(ToServedObject(*target.resource, stored));
    const api::Object* before = served.object;
    Draft draft;
    if (is_apply) {
      draft = PL_TRY(ApplyConfiguration(target, request.http.body, before, writer.parts()));
    } else if (before == nullptr) {
      return std::unexpected(api::NotFound(target.Subject()));
    } else {
      draft = PL_TRY(ApplyPatch(target, *type, request.http.body, *before, writer.parts()));
    }
    const ObjectEditor object(*draft, *target.resource->kind);
    if (before == nullptr) {
      const std::string_view uid = TextAt(draft->root(), "metadata", "uid");
      if (!uid.empty()) {
        return std::unexpected(api::Conflict(
            target.Subject(), fmt::format("uid mismatch: the provided object specified uid {}, and "
                                          "no existing object was found",
                                          uid)));
      }
      WipeSystemFields(object);
    }
    PL_TRY(SetNamespace(target, object));
    PL_TRY(CheckName(target, object));
    return ToStoredDraft(*target.resource, std::move(draft));
  };
  return RespondWritten(writer, request, wanted,
                        PL_TRY(writer.Update(StoredTarget(writer, target), rules, change)));
}

}  // namespace plimsoll::apiserver
