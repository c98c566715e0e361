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

/// The largest body, in bytes.
inline constexpr std::size_t kBodyBytesMax = 3u << 20;

/// The body as a tree, by its content type. RequestEntityTooLarge, UnsupportedMediaType, or
/// BadRequest with upstream's text for a body of which an object of `kind` was expected.
api::Answer<Draft> ReadBody(const ApiRequest& request, const api::KindDesc& kind);

/// The body as an object of the kind that the endpoint takes, with its defaults. What the body does
/// not say of kind and apiVersion is taken to be right; `older_version` is taken too, for a kind
/// that has not changed since. Findings become warnings, or under Strict the refusal.
api::Answer<Draft> DecodeBody(const ApiRequest& request, const api::KindDesc& kind,
                              api::FieldValidation validation, std::vector<std::string>& warnings,
                              std::string_view older_version = {});

/// Whether a tree says that it is of that kind, or nothing. BadRequest in upstream's words; `body`
/// is the text that they show.
api::Answer<void> CheckBodyKind(const codec::Value& tree, const api::KindDesc& kind,
                                std::string_view body, std::string_view older_version = {});

/// Whatever a client wrote, or took away: what is stored says what it is.
void SetKind(codec::Document& draft, const api::KindDesc& kind);

/// `v1`, or `apps/v1`.
std::string ApiVersionOf(const api::KindDesc& kind);

/// What of a body a message shows: its beginning, in hex unless it looks like JSON.
std::string SummaryOf(std::string_view body);

}  // namespace plimsoll::apiserver
