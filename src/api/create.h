#pragma once

#include <string_view>

#include "api/feature_gates.h"
#include "api/object.h"

namespace plimsoll::api {

/// Completes the metadata of a new object before decoding. A namespaced object without a namespace
/// gets the request's namespace; a cluster-scoped object loses its namespace. An object with only
/// generateName gets a name that ends in `name_suffix`. A Namespace gets the finalizer
/// `kubernetes`. A tree of unknown kind stays unchanged; decoding rejects it.
void PrepareForCreate(codec::Document& document, const ObjectSource& source,
                      std::string_view request_namespace, const FeatureGates& gates,
                      std::string_view name_suffix = "xxxxx");

}  // namespace plimsoll::api
