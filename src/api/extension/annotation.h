#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/object.h"
#include "codec/document.h"

/// For this folder: reads annotations with JSON values.
namespace plimsoll::api {

/// One annotation: its parsed value and its faults.
struct Annotation {
  std::string_view name;
  std::shared_ptr<codec::Document> document;  // null: the annotation is missing
  std::vector<std::string> faults;

  /// Adds a fault. `place` is a path within the annotation: `[0].operator`.
  void Refuse(std::string_view place, std::string_view why);
  void Refuse(const FieldErrors& errors);
  /// Returns true if the annotation is present and valid.
  bool is_good() const { return document != nullptr && faults.empty(); }
};

Annotation ReadAnnotation(const Object& object, std::string_view name);
/// Reads an annotation that is a list of structs of the type `item`. Unknown fields are faults:
/// with a misspelt `expression`, a toleration would tolerate everything.
Annotation ReadListAnnotation(const Object& object, std::string_view name, TypeId item);
/// Runs Conform on a part of the annotation; unknown fields are faults here too.
bool ConformAnnotation(Annotation& annotation, codec::Value& value, TypeId type,
                       std::string_view place);

/// Returns the member as an object or a list; creates it if it is missing.
codec::Value& MemberOf(codec::Document& document, codec::Value& object, std::string_view key,
                       bool is_list = false);
/// Appends copies of the elements of `items`, if that is a list.
void AppendItems(codec::Document& document, codec::Value& list, const codec::Value* items);

/// Returns a copy of the object with these faults attached; FaultOf returns them.
std::shared_ptr<const Object> Unreadable(const Object& object,
                                         const std::vector<std::string>& faults);

}  // namespace plimsoll::api
