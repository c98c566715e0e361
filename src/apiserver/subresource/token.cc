#include "apiserver/subresource/token.h"

#include "apiserver/authn/token_request.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/body.h"

namespace plimsoll::apiserver {

api::Answer<net::Response> ServeToken(Writer& writer, const ServiceAccountTokens& tokens,
                                      ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const api::KindDesc& kind = *api::FindKind("authentication.k8s.io", "v1", "TokenRequest");
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::CreateOptions, false));
  const Draft draft = PL_TRY(DecodeBody(request, kind, target.field_validation, request.warnings));
  AdmissionAttributes attributes = AttributesOf(target, Operation::Create, draft.get(), nullptr);
  attributes.kind = &kind;
  PL_TRY(writer.Admit(attributes));
  PL_TRY(writer.Validate(attributes));
  std::string json = PL_TRY(CreateToken(tokens,
                                        {.namespace_ = target.namespace_,
                                         .name = target.name,
                                         .now = writer.parts().clock.Now(),
                                         .is_dry_run = target.is_dry_run},
                                        draft->root(), request.warnings));
  return RespondJson(request, wanted, 201, std::move(json));
}

}  // namespace plimsoll::apiserver
