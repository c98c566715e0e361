#include "apiserver/server/openid_documents.h"

#include <utility>

namespace plimsoll::apiserver {
namespace {

/// Returns a document that any client or proxy may cache for an hour, as upstream.
net::Response Cacheable(std::string type, std::string text) {
  net::Response response;
  response.headers = {{"Content-Type", std::move(type)}, {"Cache-Control", "public, max-age=3600"}};
  response.body = MakeBytes(std::move(text));
  return response;
}

}  // namespace

std::optional<net::Response> OpenIdDocuments::Serve(const ApiRequest& request) const {
  if (request.http.method != "GET" && request.http.method != "HEAD") return std::nullopt;
  if (request.target.path == "/.well-known/openid-configuration") {
    return Cacheable("application/json", OpenIdConfigurationJson(tokens_.issuers().front(),
                                                                 jwks_uri_, *tokens_.keys()));
  }
  if (request.target.path == "/openid/v1/jwks") {
    return Cacheable("application/jwk-set+json", JwksJson(*tokens_.keys()));
  }
  return std::nullopt;
}

}  // namespace plimsoll::apiserver
