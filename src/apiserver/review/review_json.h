#pragma once

#include <string>
#include <string_view>

#include "apiserver/request/user.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// Conversion between User and the JSON of reviews.
codec::Value WriteUser(const User& user, codec::Document& document);
User ReadUser(const codec::Value& spec);

/// Returns the review with this status, members in upstream's order. Null `spec` becomes `{}`.
std::string WriteReview(codec::Document& document, std::string_view group, std::string_view kind,
                        const codec::Value& review, const codec::Value* spec,
                        const codec::Value& status);

/// Returns true if metadata is empty, or has only a namespace and `may_have_namespace` is true.
bool IsMetadataEmpty(const codec::Value& review, bool may_have_namespace);

}  // namespace plimsoll::apiserver
