#include "apiserver/subresource/scale.h"

#include <fmt/format.h>

#include "apiserver/read/scale.h"
#include "apiserver/response/media_range.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/strategy/object_editor.h"
#include "apiserver/write/body.h"
#include "codec/json.h"
#include "codec/patch/json_patch.h"
#include "codec/patch/merge_patch.h"

namespace plimsoll::apiserver {
namespace {

const api::KindDesc& ScaleKind() { return *api::FindKind("autoscaling", "v1", "Scale"); }

std::int64_t CountAt(const codec::Value& tree, std::string_view part, std::string_view field) {
  const codec::Value* found = FindAt(tree, part, field);
  return found != nullptr && found->is_int() ? found->AsInt() : 0;
}

/// Returns the new Scale: the body of an update, or the patched current Scale.
api::Answer<Draft> WantedScale(ApiRequest& request, const WriteTarget& target,
                               const StoredObject& current) {
  if (request.info.verb == "update") {
    return DecodeBody(request, ScaleKind(), target.field_validation, request.warnings);
  }
  auto scale = codec::ParseJson(ScaleJson(current).value_or("{}"));
  auto patch = codec::ParseJson(request.http.body);
  if (!patch) return std::unexpected(api::FromError(patch.error()));
  const std::string type = ParseMediaType(request.http.headers.Find("Content-Type")).type;
  Draft draft = std::make_shared<codec::Document>();
  if (type == "application/json-patch+json") {
    auto patched = codec::ApplyJsonPatch(*draft, (*scale)->root(), (*patch)->root());
    if (!patched) return std::unexpected(api::FromError(patched.error()));
    draft->root() = *patched;
  } else if (type == "application/merge-patch+json" ||
             type == "application/strategic-merge-patch+json") {
    // A Scale has no lists, so both patch types are the same.
    auto patched = codec::ApplyMergePatch(*draft, (*scale)->root(), (*patch)->root());
    if (!patched) return std::unexpected(api::FromError(patched.error()));
    draft->root() = *patched;
  } else {
    return std::unexpected(api::UnsupportedPatchType());
  }
  std::vector<api::StrictFinding> findings;
  const Status conforms =
      api::Conform(*draft, draft->root(), *ScaleKind().type, target.field_validation, findings);
  if (!conforms) return std::unexpected(api::FromError(conforms.error()));
  for (const api::StrictFinding& finding : findings) request.warnings.push_back(finding.Text());
  return draft;
}

api::Answer<void> CheckScale(const codec::Value& scale, const WriteTarget& target) {
  api::FieldErrors errors;
  const std::int64_t replicas = CountAt(scale, "spec", "replicas");
  if (replicas < 0) {
    const api::FieldPath spec("spec");
    errors.Invalid(spec / "replicas", api::BadValue::Int(replicas),
                   "must be greater than or equal to 0");
  }
  if (errors.empty()) return {};
  return std::unexpected(api::Invalid("autoscaling", "Scale", target.name, errors));
}

}  // namespace

api::Answer<net::Response> ServeScaleUpdate(Writer& writer, ApiRequest& request) {
  const bool is_update = request.info.verb == "update";
  const WriteTarget asked = PL_TRY(ReadWriteTarget(
      request, is_update ? OptionsKind::UpdateOptions : OptionsKind::PatchOptions, false));
  const ObjectPtr current = PL_TRY(writer.Find(asked, /*is_latest=*/false));
  if (current == nullptr) return std::unexpected(api::NotFound(asked.Subject()));
  const Draft scale = PL_TRY(WantedScale(request, asked, *current));
  PL_TRY(CheckScale(scale->root(), asked));

  // A patch without a resourceVersion applies to the current object.
  const std::string_view version =
      is_update ? TextAt(scale->root(), "metadata", "resourceVersion") : std::string_view();
  const Change change = [&](const api::Object* before) -> api::Answer<Draft> {
    if (!version.empty() && version != before->metadata().resource_version) {
      return std::unexpected(api::Modified(asked.Subject()));
    }
    auto draft = std::make_shared<codec::Document>();
    draft->root() = draft->Clone(before->tree());
    ObjectEditor(*draft, before->kind())
        .Child("spec")
        .SetInt("replicas", CountAt(scale->root(), "spec", "replicas"));
    return draft;
  };
  // Updates the workload itself, by its own rules.
  WriteTarget whole = asked;
  whole.subresource.clear();
  const Written written = PL_TRY(writer.Update(whole, {}, change));
  const Negotiated wanted = PL_TRY(Negotiate(request));
  return RespondJson(request, wanted, 200,
                     written.object == nullptr ? codec::WriteJson(scale->root())
                                               : ScaleJson(*written.object).value_or("{}"));
}

}  // namespace plimsoll::apiserver
