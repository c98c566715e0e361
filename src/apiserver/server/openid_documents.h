#pragma once

#include <optional>
#include <string>

#include "apiserver/authn/service_account_tokens.h"
#include "apiserver/request/api_request.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Serves the documents with which others verify service-account tokens:
/// `/.well-known/openid-configuration` and `/openid/v1/jwks`. Safe for use by many threads.
class OpenIdDocuments {
 public:
  /// `jwks_uri` is the public URL of the second document. `tokens` must outlive this object.
  OpenIdDocuments(const ServiceAccountTokens& tokens, std::string jwks_uri)
      : tokens_(tokens), jwks_uri_(std::move(jwks_uri)) {}

  /// Returns nullopt for another path or method.
  std::optional<net::Response> Serve(const ApiRequest& request) const;

 private:
  const ServiceAccountTokens& tokens_;
  const std::string jwks_uri_;
};

}  // namespace plimsoll::apiserver
