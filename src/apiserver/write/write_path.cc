#include "apiserver/write/write_path.h"

#include "apiserver/read/served_object.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/body.h"
#include "apiserver/write/field_tracking.h"
#include "apiserver/write/metadata.h"
#include "apiserver/write/versions.h"

namespace plimsoll::apiserver {

api::Answer<net::Response> RespondWritten(Writer& writer, const ApiRequest& request,
                                          const Negotiated& wanted, Written written) {
  const int status = written.is_created ? 201 : 200;
  if (written.object != nullptr) {
    return RespondObject(request, wanted, status, AsServed(*request.resource, written.object),
                         writer.parts().clock.Now());
  }
  return RespondJson(request, wanted, status,
                     PL_TRY(ToServedJson(*request.resource, std::move(written.json))));
}

api::Answer<net::Response> ServeCreate(Writer& writer, ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::CreateOptions, false));
  const Draft draft = PL_TRY(
      DecodeBody(request, *target.resource->kind, target.field_validation, request.warnings));
  const ObjectEditor object(*draft, *target.resource->kind);
  DropDuplicateOwners(target, object, false);
  WipeSystemFields(object);
  PL_TRY(SetNamespace(target, object));
  TrackFields(target, draft, nullptr, writer.parts());
  const Draft stored = PL_TRY(ToStoredDraft(*target.resource, draft));
  return RespondWritten(writer, request, wanted,
                        PL_TRY(writer.Create(StoredTarget(writer, target), stored)));
}

api::Answer<net::Response> ServeUpdate(Writer& writer, ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::UpdateOptions, false));
  const api::KindDesc& kind = *target.resource->kind;
  Draft first = PL_TRY(DecodeBody(request, kind, target.field_validation, request.warnings));
  const ObjectEditor object(*first, kind);
  PL_TRY(SetNamespace(target, object));
  PL_TRY(CheckName(target, object));
  DropDuplicateOwners(target, object, false);

  const std::size_t told = request.warnings.size();  // a retry adds the later ones again
  UpdateRules rules;
  rules.uid = TextAt(first->root(), "metadata", "uid");
  const Change change = [&](const api::Object* before) -> api::Answer<Draft> {
    Draft draft = std::move(first);
    if (draft == nullptr) {
      // A retry: the first attempt has changed its tree.
      std::vector<std::string> unheard;
      draft = PL_TRY(DecodeBody(request, kind, api::FieldValidation::Ignore, unheard));
      PL_TRY(SetNamespace(target, ObjectEditor(*draft, kind)));
    }
    request.warnings.resize(told);
    const ServedObject served = PL_TRY(ToServedObject(*target.resource, before));
    TrackFields(target, draft, served.object, writer.parts());
    return ToStoredDraft(*target.resource, std::move(draft));
  };
  return RespondWritten(writer, request, wanted,
                        PL_TRY(writer.Update(StoredTarget(writer, target), rules, change)));
}

}  // namespace plimsoll::apiserver
