#pragma once

#include <memory>
#include <string_view>

#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

/// Objects in upstream's protobuf, which its Go clients send of built-in kinds. They become trees,
/// as if they had come as JSON, and nothing behind this knows the difference.
///
///   k8s\0  Unknown{1: TypeMeta{1: apiVersion, 2: kind}, 2: the message, 3: encoding, 4: type}
///
/// Fields that schema/protobuf_tags.txt has no number for are not read.
namespace plimsoll::api {

/// What stands around an object. Views the body.
struct ProtobufEnvelope {
  std::string_view api_version;  // empty: the body does not say
  std::string_view kind;
  std::string_view message;
};

/// BadRequest in upstream's words: `provided data does not appear to be a protobuf message, …`
Result<ProtobufEnvelope> ReadProtobufEnvelope(std::string_view body);

/// The tree that Go's JSON of the same object would be, without nulls and empty lists. Kind and
/// apiVersion come first, where the envelope has them. Quantities and the like are not checked:
/// Conform does that.
///
/// BadRequest for bytes that are no message of the type and beyond the limits.
Result<std::unique_ptr<codec::Document>> DecodeProtobuf(const ProtobufEnvelope& envelope,
                                                        const TypeDesc& type,
                                                        const codec::ParseLimits& limits = {});

}  // namespace plimsoll::api
