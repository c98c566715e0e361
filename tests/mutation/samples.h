#pragma once

#include <string>
#include <string_view>

#include "api/schema/schema.h"

namespace plimsoll::mutation {

/// Returns the members of a small valid object of the kind, apart from kind, apiVersion and
/// metadata: `"spec":{…}`. Empty when the kind needs no more than a name.
std::string_view SampleOf(const api::KindDesc& kind);

/// Returns a whole valid object.
std::string SampleObject(const api::KindDesc& kind, std::string_view name,
                         std::string_view namespace_);

}  // namespace plimsoll::mutation
