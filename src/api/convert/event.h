#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Converts an event between core/v1 and events.k8s.io/v1, which name the same
/// fields differently. Does nothing if the tree is of the wanted kind already.
///
/// Renamed members lose their field numbers, so the caller must run Conform for
/// the new kind before decoding.
void ConvertEvent(codec::Document& document, codec::Value& event, const KindDesc& wanted);

}  // namespace plimsoll::api
