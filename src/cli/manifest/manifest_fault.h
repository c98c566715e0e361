#pragma once

#include <string>
#include <string_view>

#include "api/object.h"
#include "base/result.h"

namespace plimsoll::cli {

/// Returns why a part of a manifest is no object, in words about manifests. For a value of the
/// wrong type it names the field and what would be right. For other errors within an object, this
/// is the text of the API server. `error` is the error of api::DecodeObject.
std::string FaultOfObject(const api::ObjectSource& source, const Error& error);

/// Returns why a text is no manifest. `error` is the error of the YAML parser.
std::string FaultOfText(std::string_view text, const Error& error);

}  // namespace plimsoll::cli
