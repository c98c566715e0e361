#include "apiserver/server/resource_endpoints.h"

#include <algorithm>

#include "apiserver/authn/token_request.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/subresource/binding.h"
#include "apiserver/subresource/eviction.h"
#include "apiserver/subresource/scale.h"
#include "apiserver/write/body.h"
#include "apiserver/write/write_path.h"

namespace plimsoll::apiserver {
namespace {

api::StatusObject NotAllowed() {
  api::StatusObject status{.code = 405,
                           .reason = "MethodNotAllowed",
                           .message =
                               "the server does not allow this method on the requested "
                               "resource"};
  status.details.emplace();
  return status;
}

const api::SubresourceDesc* FindSubresource(const Resource& resource, std::string_view name) {
  const auto found =
      std::ranges::find(resource.kind->subresources, name, &api::SubresourceDesc::name);
  const bool is_served = found != resource.kind->subresources.end() && resource.Serves(name);
  return is_served ? &*found : nullptr;
}

}  // namespace

api::Answer<void> CheckServed(const ApiRequest& request) {
  const RequestInfo& info = request.info;
  const Resource& resource = *request.resource;
  if (!info.subresource.empty()) {
    const api::SubresourceDesc* subresource = FindSubresource(resource, info.subresource);
    if (subresource == nullptr) return std::unexpected(api::NoSuchPath());
    const bool is_allowed =
        std::ranges::find(subresource->verbs, info.verb) != subresource->verbs.end();
    return is_allowed ? api::Answer<void>() : std::unexpected(NotAllowed());
  }
  const bool is_collection_verb = info.verb == "list" || info.verb == "watch" ||
                                  info.verb == "create" || info.verb == "deletecollection";
  // A collection's name can only come from a field selector; a create has none at all.
  if (info.verb == "create" && !info.name.empty()) return std::unexpected(NotAllowed());
  if (!is_collection_verb && info.name.empty()) return std::unexpected(NotAllowed());
  const bool is_namespaced = resource.kind->is_namespaced;
  const bool needs_namespace = info.verb != "list" && info.verb != "watch";
  if (is_namespaced && needs_namespace && info.namespace_.empty()) {
    return std::unexpected(NotAllowed());
  }
  const bool is_in_namespace = !info.namespace_.empty() && resource.name() != "namespaces";
  if (!is_namespaced && is_in_namespace) return std::unexpected(api::NoSuchPath());
  return resource.Allows(info.verb) ? api::Answer<void>() : std::unexpected(NotAllowed());
}

void ResourceEndpoints::Read(const RequestPtr& request,
                             const std::shared_ptr<net::Exchange>& exchange) {
  const api::Answer<void> served = CheckServed(*request);
  if (served) {
    parts_.reader.Serve(request, exchange);
  } else {
    exchange->Respond(RespondStatus(*request, served.error()));
  }
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

api::Answer<net::Response> ResourceEndpoints::Token(ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const api::KindDesc& kind = *api::FindKind("authentication.k8s.io", "v1", "TokenRequest");
  const WriteTarget target = PL_TRY(ReadWriteTarget(request, OptionsKind::CreateOptions, false));
  const Draft draft = PL_TRY(DecodeBody(request, kind, target.field_validation, request.warnings));
  std::string json = PL_TRY(CreateToken(parts_.tokens, request.info.namespace_, request.info.name,
                                        draft->root(), parts_.clock.Now()));
  return RespondJson(request, wanted, 201, std::move(json));
}

api::Answer<net::Response> ResourceEndpoints::WriteSubresource(ApiRequest& request) {
  const std::string& name = request.info.subresource;
  if (name == "binding") return ServeBinding(parts_.writer, request);
  if (name == "eviction") return ServeEviction(parts_.writer, request);
  if (name == "scale") return ServeScaleUpdate(parts_.writer, request);
  if (name == "token") return Token(request);
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
  const api::Answer<void> served = CheckServed(request);
  if (!served) return RespondStatus(request, served.error());
  api::Answer<net::Response> answer =
      request.info.subresource.empty() ? WriteObject(request) : WriteSubresource(request);
  return answer ? *std::move(answer) : RespondStatus(request, answer.error());
}

}  // namespace plimsoll::apiserver
