#pragma once

#include <string>
#include <string_view>

#include "apiserver/request/user.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// What a review's answer is put together with.
codec::Value WriteUser(const User& user, codec::Document& document);
User ReadUser(const codec::Value& spec);

/// The review with another status, members in upstream's order. `spec` null: `{}`.
std::string WriteReview(codec::Document& document, std::string_view group, std::string_view kind,
                        const codec::Value& review, const codec::Value* spec,
                        const codec::Value& status);

/// Whether metadata says anything but, where that is allowed, its namespace.
bool IsMetadataEmpty(const codec::Value& review, bool may_have_namespace);

}  // namespace plimsoll::apiserver
