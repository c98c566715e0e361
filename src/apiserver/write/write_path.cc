#include "apiserver/write/write_path.h"

#include "apiserver/response/negotiation.h"
#include "apiserver/write/body.h"
#include "apiserver/write/field_tracking.h"
#include "apiserver/write/metadata.h"

namespace plimsoll::apiserver {

net::Response RespondWritten(Writer& writer, const ApiRequest& request, const Negotiated& wanted,
                             Written written) {
  const int status = written.is_created ? 201 : 200;
  if (written.object != nullptr) {
    return RespondObject(request, wanted, status, written.object, writer.parts().clock.Now());
  }
  return RespondJson(request, wanted, status, std::move(written.json));
}

api::Answer<net::Response> ServeCreate(Writer& writer, ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::CreateOptions, false));
  const Draft draft = PL_TRY(
      DecodeBody(request, *target.resource->kind, target.field_validation, request.warnings));
  const Place object(*draft, *target.resource->kind);
  DropDoubleOwners(target, object, false);
  WipeSystemFields(object);
  PL_TRY(SettleNamespace(target, object));
  TrackFields(target, draft, nullptr, writer.parts().clock.Now());
  return RespondWritten(writer, request, wanted, PL_TRY(writer.Create(target, draft)));
}

api::Answer<net::Response> ServeUpdate(Writer& writer, ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::UpdateOptions, false));
  const api::KindDesc& kind = *target.resource->kind;
  Draft first = PL_TRY(DecodeBody(request, kind, target.field_validation, request.warnings));
  const Place object(*first, kind);
  PL_TRY(SettleNamespace(target, object));
  PL_TRY(CheckName(target, object));
  DropDoubleOwners(target, object, false);

  UpdateRules rules;
  rules.uid = TextAt(first->root(), "metadata", "uid");
  const Change change = [&](const api::Object* before) -> api::Answer<Draft> {
    Draft draft = std::move(first);
    if (draft == nullptr) {
      // A second attempt: the first one has changed its tree.
      std::vector<std::string> told;
      draft = PL_TRY(DecodeBody(request, kind, api::FieldValidation::Ignore, told));
      PL_TRY(SettleNamespace(target, Place(*draft, kind)));
    }
    TrackFields(target, draft, before, writer.parts().clock.Now());
    return draft;
  };
  return RespondWritten(writer, request, wanted, PL_TRY(writer.Update(target, rules, change)));
}

}  // namespace plimsoll::apiserver
