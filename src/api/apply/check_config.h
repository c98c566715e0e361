#pragma once

#include <string>

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Returns why a configuration cannot be applied, in upstream's words; empty if it can. Reports
/// unknown fields, values of the wrong type, and list elements with duplicate or missing keys.
/// Example: `.spec.foo: field not declared in schema`. Each error has a line of its own.
std::string CheckConfig(const codec::Value& config, const TypeDesc& type);

}  // namespace plimsoll::api
