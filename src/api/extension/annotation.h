#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/object.h"
#include "codec/document.h"

/// For this folder: annotations whose values are JSON texts.
namespace plimsoll::api {

/// One annotation: its text as a tree, and what is wrong with it.
struct Annotation {
  std::string_view name;
  std::shared_ptr<codec::Document> document;  // null: there is none
  std::vector<std::string> faults;

  /// `place` is within the annotation: `[0].operator`.
  void Refuse(std::string_view place, std::string_view why);
  void Refuse(const FieldErrors& errors);
  /// Whether it is there and nothing is wrong with it.
  bool is_good() const { return document != nullptr && faults.empty(); }
};

Annotation ReadAnnotation(const Object& object, std::string_view name);
/// One that is a list of structs of the type. What is unknown is refused: a misspelt `expression`
/// would leave a toleration of everything.
Annotation ReadListAnnotation(const Object& object, std::string_view name, TypeId item);
/// Holds a part of the annotation against its type, likewise.
bool ConformAnnotation(Annotation& annotation, codec::Value& value, TypeId type,
                       std::string_view place);

/// The member as an object or a list of the document, made if there is none.
codec::Value& MemberOf(codec::Document& document, codec::Value& object, std::string_view key,
                       bool is_list = false);
/// Appends copies of the items of a list, if it is one.
void AppendItems(codec::Document& document, codec::Value& list, const codec::Value* items);

/// The object as it is, with its faults; FaultOf finds them.
std::shared_ptr<const Object> Unreadable(const Object& object,
                                         const std::vector<std::string>& faults);

}  // namespace plimsoll::api
