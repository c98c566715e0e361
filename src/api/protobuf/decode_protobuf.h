#pragma once

#include <memory>
#include <string_view>

#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

/// Decodes objects in upstream's protobuf, which Go clients send for built-in kinds, into trees.
/// Later code cannot tell them from trees that were parsed from JSON.
///
///   k8s\0  Unknown{1: TypeMeta{1: apiVersion, 2: kind}, 2: the message, 3: encoding, 4: type}
///
/// Fields without a number in schema/protobuf_tags.txt are not read.
namespace plimsoll::api {

/// The envelope of an object. A view of the body.
struct ProtobufEnvelope {
  std::string_view api_version;  // empty: missing from the body
  std::string_view kind;
  std::string_view message;
};

/// BadRequest in upstream's words: `provided data does not appear to be a protobuf message, …`
Result<ProtobufEnvelope> ReadProtobufEnvelope(std::string_view body);

/// Returns the tree of the JSON that Go writes for the same object, without nulls and empty lists.
/// Kind and apiVersion come first, if the envelope has them. Does not check the syntax of
/// quantities and times: Conform does.
///
/// BadRequest if the bytes are no message of the type or exceed the limits.
Result<std::unique_ptr<codec::Document>> DecodeProtobuf(const ProtobufEnvelope& envelope,
                                                        const TypeDesc& type,
                                                        const codec::ParseLimits& limits = {});

}  // namespace plimsoll::api
