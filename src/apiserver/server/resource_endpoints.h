#pragma once

#include "apiserver/authn/service_account_tokens.h"
#include "apiserver/read/reader.h"
#include "apiserver/review/review.h"
#include "apiserver/server/api_server.h"
#include "apiserver/server/documents.h"
#include "apiserver/server/openid_documents.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

struct EndpointParts {
  Reader& reader;
  Writer& writer;
  const Documents& documents;
  const OpenIdDocuments& openid;
  const ServiceAccountTokens& tokens;
  ReviewAuthorizers judges;
  const Clock& clock;
};

/// Dispatches each request to its handler, by verb and sub-resource.
class ResourceEndpoints final : public Endpoints {
 public:
  explicit ResourceEndpoints(const EndpointParts& parts) : parts_(parts) {}

  void Read(const RequestPtr& request, const std::shared_ptr<net::Exchange>& exchange) override;
  net::Response Write(ApiRequest& request) override;
  net::Response Document(const ApiRequest& request) override {
    if (std::optional<net::Response> found = parts_.openid.Serve(request)) return *std::move(found);
    return parts_.documents.Serve(request);
  }

 private:
  api::Answer<net::Response> WriteObject(ApiRequest& request);
  api::Answer<net::Response> WriteSubresource(ApiRequest& request);
  api::Answer<net::Response> Review(ApiRequest& request);

  const EndpointParts parts_;
};

}  // namespace plimsoll::apiserver
