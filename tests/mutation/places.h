#pragma once

#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::mutation {

/// One step from a value down to a part of it.
struct Step {
  enum class Kind : std::uint8_t { Field, Item, Key };
  Kind kind = Kind::Field;
  std::string_view name;              // of a Field or a Key; static storage
  const api::Shape* shape = nullptr;  // of the value that the step leads to
};

/// A place in the objects of a kind, such as `spec.containers[0].name`.
struct Place {
  std::vector<Step> steps;
};

/// Returns every place of the type: each field, the first item of each list, one key of each map.
/// A type that contains itself is followed once.
std::vector<Place> PlacesOf(const api::TypeDesc& type);

/// Returns a value that conforms to the shape, in the document. Structs get their fields down to
/// `depth` levels; below that they are empty.
codec::Value Plausible(codec::Document& document, const api::Shape& shape, std::string_view name,
                       int depth);

/// Returns the value at the place. Containers that are missing on the way are created; a struct is
/// filled with plausible fields down to `depth` levels.
codec::Value& Reach(codec::Document& document, codec::Value& root, const Place& place, int depth);

/// Returns the JSON pointer of the place, such as `/spec/containers/0/name`.
std::string PointerTo(const Place& place);

}  // namespace plimsoll::mutation
