#pragma once

#include "api/status/status.h"
#include "apiserver/authn/service_account_tokens.h"
#include "apiserver/request/api_request.h"
#include "apiserver/write/writer.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Serves `POST serviceaccounts/<name>/token`: runs admission and responds 201 with the
/// TokenRequest. With `dryRun=All` everything is checked, but the response has no token.
api::Answer<net::Response> ServeToken(Writer& writer, const ServiceAccountTokens& tokens,
                                      ApiRequest& request);

}  // namespace plimsoll::apiserver
