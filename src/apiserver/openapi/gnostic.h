#pragma once

#include <string>
#include <string_view>

namespace plimsoll::apiserver {

/// Converts an OpenAPI v2 document to gnostic's protobuf, the only format that kubectl reads.
/// REQUIRES: openapi.cc wrote the document.
std::string EncodeGnosticV2(std::string_view json);

}  // namespace plimsoll::apiserver
