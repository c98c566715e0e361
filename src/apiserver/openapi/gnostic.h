#pragma once

#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// An OpenAPI v2 document, which must be one that openapi.cc writes, in gnostic's protobuf: the
/// only form in which kubectl reads it.
std::string EncodeGnosticV2(std::string_view json);

}  // namespace plimsoll::apiserver
