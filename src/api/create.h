#pragma once

#include <string_view>

#include "api/feature_gates.h"
#include "api/object.h"

namespace plimsoll::api {

/// What a server settles about an object before it looks at it: a namespaced object without a
/// namespace gets the request's, a cluster-wide one loses its own, and one with generateName alone
/// gets a name that `name_suffix` completes. A namespace gets the finalizer that holds it until it
/// is empty. A tree of no known kind is left alone, as decoding will refuse it.
void PrepareForCreate(codec::Document& document, const ObjectSource& source,
                      std::string_view request_namespace, const FeatureGates& gates,
                      std::string_view name_suffix = "xxxxx");

}  // namespace plimsoll::api
