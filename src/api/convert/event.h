#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Writes an event as the other API of events has it: core/v1 and events.k8s.io/v1 keep the same
/// facts under different names. Changes nothing when the tree is of the wanted kind already.
///
/// Members that are renamed lose their field numbers, so the tree is to pass Conform for the new
/// kind before anything decodes it.
void ConvertEvent(codec::Document& document, codec::Value& event, const KindDesc& wanted);

}  // namespace plimsoll::api
