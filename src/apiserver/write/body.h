#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/conform.h"
#include "api/schema/schema.h"
#include "api/status/status.h"
#include "apiserver/request/api_request.h"
#include "apiserver/write/write_target.h"

namespace plimsoll::apiserver {

/// Decodes the body by its content type. Fails with RequestEntityTooLarge, UnsupportedMediaType, or
/// BadRequest with upstream's text for an expected object of `kind`.
api::Answer<Draft> ReadBody(const ApiRequest& request, const api::KindDesc& kind);

/// Decodes the body as an object of the endpoint's kind and applies defaults. Missing kind and
/// apiVersion default to the expected ones. Accepts `older_version`, too, for a kind that is the
/// same there. Findings become warnings, or an error under Strict.
api::Answer<Draft> DecodeBody(const ApiRequest& request, const api::KindDesc& kind,
                              api::FieldValidation validation, std::vector<std::string>& warnings,
                              std::string_view older_version = {});

/// Checks that kind and apiVersion of the tree, if set, are those of `kind`. Fails with BadRequest
/// and upstream's text, which shows `body`.
api::Answer<void> CheckBodyKind(const codec::Value& tree, const api::KindDesc& kind,
                                std::string_view body, std::string_view older_version = {});

/// Sets kind and apiVersion, whatever the client sent, so that stored objects have them.
void SetKind(codec::Document& draft, const api::KindDesc& kind);

}  // namespace plimsoll::apiserver
