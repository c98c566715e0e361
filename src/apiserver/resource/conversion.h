#pragma once

#include <memory>

#include "apiserver/resource/resource.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// Converts a tree from the stored kind to the served one; `document` owns the new values. Versions
/// of a kind differ only in apiVersion.
/// Core and events.k8s.io events differ in field names.
codec::Value ToServed(const Resource& resource, const codec::Value& stored,
                      codec::Document& document);
/// Converts a tree from the served kind to the stored one.
codec::Value ToStored(const Resource& resource, const codec::Value& served,
                      codec::Document& document);

}  // namespace plimsoll::apiserver
