#pragma once

#include "api/decode/decode.h"

/// Decoders of values that a description cannot express. The generated decoders call them; the
/// descriptions name them with `hook=` and `after=`.
namespace plimsoll::api {

/// Decodes the metadata of an object whose kind has no view. Lists and Status have ListMeta, which
/// is not decoded; options have no metadata.
void DecodeUntyped(const codec::Value& tree, const TypeDesc& type, UntypedObject& out);

/// Decodes `attributes` of a device. A CEL variant holds each value, so the type of the member
/// depends on the field that is set.
void DecodeAttributes(const codec::Value& tree, Device& out);

/// Decodes `capacity` of a device: the amounts into the facts for CEL, and the request policies
/// apart, because few capacities have one.
void DecodeCapacity(const codec::Value& tree, Device& out);

/// Copies the slice's driver to its devices. CEL reads it as the domain of unqualified attributes.
void SetDriverOfDevices(ResourceSlice& out);

}  // namespace plimsoll::api
