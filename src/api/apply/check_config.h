#pragma once

#include <string>

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// What keeps a configuration from being applied, in upstream's words, or nothing: fields that the
/// type does not have, values of another kind, elements of lists that nothing tells apart.
/// `.spec.foo: field not declared in schema`; several stand in lines of their own.
std::string CheckConfig(const codec::Value& config, const TypeDesc& type);

}  // namespace plimsoll::api
