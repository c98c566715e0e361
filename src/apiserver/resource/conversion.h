#pragma once

#include <memory>

#include "apiserver/resource/resource.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// A tree of the kind that is stored, as one of the kind that is served; `document` keeps what is
/// new. Kinds that differ in their version alone differ in apiVersion alone; the two kinds of
/// events have other names for the same.
codec::Value ToServed(const Resource& resource, const codec::Value& stored,
                      codec::Document& document);
/// The way back.
codec::Value ToStored(const Resource& resource, const codec::Value& served,
                      codec::Document& document);

}  // namespace plimsoll::apiserver
