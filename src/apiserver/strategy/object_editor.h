#pragma once

#include <cstdint>
#include <string_view>

#include "api/object.h"
#include "api/schema/schema.h"
#include "codec/document.h"
#include "codec/value_at.h"

namespace plimsoll::apiserver {

/// An object in a mutable tree, with its type, so that written fields have the field numbers that
/// decoders use. A ObjectEditor becomes invalid when its parent gets a new member: call Child again
/// after that.
class ObjectEditor {
 public:
  /// The root of a document that conforms to the kind.
  ObjectEditor(codec::Document& document, const api::KindDesc& kind)
      : ObjectEditor(document, document.root(), kind.type) {}
  /// Null type: a map of strings.
  ObjectEditor(codec::Document& document, codec::Value& object, const api::TypeDesc* type)
      : document_(&document), object_(&object), type_(type) {}

  codec::Document& document() const { return *document_; }
  codec::Value& value() const { return *object_; }

  codec::Value* Find(std::string_view field) const { return object_->Find(field); }
  bool Has(std::string_view field) const { return Find(field) != nullptr; }
  /// Return "", `otherwise` or false if the field is missing or of another type.
  std::string_view Text(std::string_view field) const;
  std::int64_t Int(std::string_view field, std::int64_t otherwise = 0) const;
  bool Bool(std::string_view field) const;

  /// Returns the object in that field or of that map key; creates it if it is missing.
  ObjectEditor Child(std::string_view field) const;
  /// Returns the item type of a list of objects.
  const api::TypeDesc* ItemType(std::string_view field) const;

  /// REQUIRES: the value conforms to the field's type, and the document owns it.
  codec::Value& Set(std::string_view field, codec::Value value) const;
  void SetText(std::string_view field, std::string_view text) const {
    Set(field, document_->NewString(text));
  }
  void SetInt(std::string_view field, std::int64_t number) const {
    Set(field, codec::Value::Int(number));
  }
  /// Copies the field of another tree of the same type. Removes it here if it is missing there.
  void CopyFrom(const codec::Value* other, std::string_view field) const;
  bool Remove(std::string_view field) const { return document_->Remove(*object_, field); }

 private:
  const api::FieldDesc* Describe(std::string_view field) const;

  codec::Document* document_;
  codec::Value* object_;
  const api::TypeDesc* type_;
};

/// Returns true if the field is equal in both trees. An empty object or list equals a missing one,
/// as in Go's Semantic.DeepEqual.
bool SameAt(const codec::Value& a, const codec::Value& b, std::string_view field);

}  // namespace plimsoll::apiserver
