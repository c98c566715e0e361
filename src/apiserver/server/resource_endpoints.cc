#include "apiserver/server/resource_endpoints.h"

#include "apiserver/resource/metrics_resources.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/subresource/binding.h"
#include "apiserver/subresource/eviction.h"
#include "apiserver/subresource/pod_stream.h"
#include "apiserver/subresource/scale.h"
#include "apiserver/subresource/token.h"
#include "apiserver/write/body.h"
#include "apiserver/write/write_path.h"

namespace plimsoll::apiserver {

void ResourceEndpoints::Read(const RequestPtr& request,
                             const std::shared_ptr<net::Exchange>& exchange) {
  if (IsPodStream(*request)) return exchange->Respond(Write(*request));
  if (IsMetrics(*request->resource->kind)) {
    return exchange->Respond(RespondStatus(*request, NoMetrics()));
  }
  parts_.reader.Serve(request, exchange);
}

api::Answer<net::Response> ResourceEndpoints::Review(ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::CreateOptions, false));
  const Draft draft = PL_TRY(
      DecodeBody(request, *request.resource->kind, target.field_validation, request.warnings));
  std::string json = PL_TRY(AnswerReview(request.info.resource, request.info.namespace_,
                                         draft->root(), request.user, parts_.judges));
  return RespondJson(request, wanted, 201, std::move(json));
}

api::Answer<net::Response> ResourceEndpoints::WriteSubresource(ApiRequest& request) {
  const std::string& name = request.info.subresource;
  if (IsPodStream(request)) return ServePodStream(parts_.writer, request);
  if (name == "binding") return ServeBinding(parts_.writer, request);
  if (name == "eviction") return ServeEviction(parts_.writer, request);
  if (name == "scale") return ServeScaleUpdate(parts_.writer, request);
  if (name == "token") return ServeToken(parts_.writer, parts_.tokens, request);
  return request.info.verb == "patch" ? ServePatch(parts_.writer, request)
                                      : ServeUpdate(parts_.writer, request);
}

api::Answer<net::Response> ResourceEndpoints::WriteObject(ApiRequest& request) {
  const std::string& verb = request.info.verb;
  if (verb == "create") {
    if (!request.resource->is_review) return ServeCreate(parts_.writer, request);
    return request.info.resource == "bindings" ? ServeBinding(parts_.writer, request)
                                               : Review(request);
  }
  if (verb == "update") return ServeUpdate(parts_.writer, request);
  if (verb == "patch") return ServePatch(parts_.writer, request);
  if (verb == "delete") return ServeDelete(parts_.writer, request);
  return ServeDeleteCollection(parts_.writer, request);
}

net::Response ResourceEndpoints::Write(ApiRequest& request) {
  api::Answer<net::Response> answer =
      request.info.subresource.empty() ? WriteObject(request) : WriteSubresource(request);
  return answer ? *std::move(answer) : RespondStatus(request, answer.error());
}

}  // namespace plimsoll::apiserver
