#pragma once

#include <cstdint>
#include <string_view>

#include "api/object.h"
#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// An object in a tree that is being changed, together with its type, so that what is written has
/// the numbers that decoders go by. A place is good until something is added to the object that
/// holds it: walk down again after that.
class Place {
 public:
  /// The root of a document that conforms to the kind.
  Place(codec::Document& document, const api::KindDesc& kind)
      : Place(document, document.root(), kind.type) {}
  /// A null type: a map of texts.
  Place(codec::Document& document, codec::Value& object, const api::TypeDesc* type)
      : document_(&document), object_(&object), type_(type) {}

  codec::Document& document() const { return *document_; }
  codec::Value& value() const { return *object_; }

  codec::Value* Find(std::string_view field) const { return object_->Find(field); }
  bool Has(std::string_view field) const { return Find(field) != nullptr; }
  /// Empty when it is missing or no text; likewise 0.
  std::string_view Text(std::string_view field) const;
  std::int64_t Int(std::string_view field, std::int64_t otherwise = 0) const;
  bool Bool(std::string_view field) const;

  /// The object in that field, or of that key; made when it is missing.
  Place Child(std::string_view field) const;
  /// The items' type of a list of objects.
  const api::TypeDesc* ItemType(std::string_view field) const;

  /// The value must conform to the field's type and lie in the document.
  codec::Value& Set(std::string_view field, codec::Value value) const;
  void SetText(std::string_view field, std::string_view text) const {
    Set(field, document_->NewString(text));
  }
  void SetInt(std::string_view field, std::int64_t number) const {
    Set(field, codec::Value::Int(number));
  }
  /// A copy of what another tree of the same type has there; nothing there removes it here.
  void CopyFrom(const codec::Value* other, std::string_view field) const;
  bool Remove(std::string_view field) const { return document_->Remove(*object_, field); }

 private:
  const api::FieldDesc* Describe(std::string_view field) const;

  codec::Document* document_;
  codec::Value* object_;
  const api::TypeDesc* type_;
};

/// What lies at the end of a path of fields, or null.
template <class... Fields>
const codec::Value* FindAt(const codec::Value& tree, const Fields&... fields) {
  const codec::Value* at = &tree;
  ((at = at == nullptr ? nullptr : at->Find(fields)), ...);
  return at;
}

/// The text there, or empty.
template <class... Fields>
std::string_view TextAt(const codec::Value& tree, const Fields&... fields) {
  const codec::Value* found = FindAt(tree, fields...);
  return found != nullptr && found->is_string() ? found->text() : std::string_view();
}

/// Whether two trees have the same there; an empty object or list counts as none, as it does to
/// Go's Semantic.DeepEqual.
bool SameAt(const codec::Value& a, const codec::Value& b, std::string_view field);

}  // namespace plimsoll::apiserver
