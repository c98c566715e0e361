#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/decode/views.h"
#include "api/schema/conform.h"
#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

class KindTable;

/// A decoded object: the tree with all fields that the user wrote, and a view of the fields that
/// code reads. Immutable; shared by reference count and safe for use by many threads.
class Object {
 public:
  /// REQUIRES: the tree has passed Conform for the kind's type. Use DecodeObject.
  Object(std::shared_ptr<const codec::Document> document, const codec::Value& tree,
         const KindDesc& kind);
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const KindDesc& kind() const { return *kind_; }
  const ObjectMeta& metadata() const { return *metadata_; }
  const codec::Value& tree() const { return *tree_; }

  /// Returns the typed view, or null if the object is of another kind: `object.As<Pod>()`.
  template <class T>
  const T* As() const {
    return std::get_if<T>(&view_);
  }
  const ObjectView& view() const { return view_; }

 private:
  std::shared_ptr<const codec::Document> document_;  // owns the tree and all texts of the view
  const codec::Value* tree_;
  const KindDesc* kind_;
  ObjectView view_;
  const ObjectMeta* metadata_;  // points into view_
};

struct DecodeOptions {
  FieldValidation field_validation = FieldValidation::Warn;
  bool apply_defaults = true;
  const KindTable* kinds = nullptr;  // kinds that are known besides the built-in ones
};

struct DecodedObject {
  std::shared_ptr<const Object> object;
  std::vector<StrictFinding> warnings;  // none under Ignore
};

/// Location of an object in a document: the root, or an item of a list.
struct ObjectSource {
  codec::Value* tree = nullptr;
  std::string path;                        // items[3]; empty for the root
  const KindDesc* implied_kind = nullptr;  // kind of a typed list's items, which may omit it
};

/// Returns the objects of a document: the items of a List or a typed list (including
/// nested lists), else the root.
std::vector<ObjectSource> FindObjects(codec::Document& document);

/// Reads apiVersion and kind, runs Conform for that kind's type, sets defaults and decodes.
/// Modifies the document, so decode all of its objects before sharing one with another
/// thread.
///
/// BadRequest with upstream's texts: `Object 'Kind' is missing in '{…}'`, `no kind "Foo" is
/// registered for version "bar/v1"`, and Conform's errors prefixed with `Pod in version "v1"
/// cannot be handled as a Pod: `. FindPath(*source.tree, error.field) finds the line.
Result<DecodedObject> DecodeObject(const std::shared_ptr<codec::Document>& document,
                                   const ObjectSource& source, const DecodeOptions& options = {});
/// Decodes the document's root.
Result<DecodedObject> DecodeObject(const std::shared_ptr<codec::Document>& document,
                                   const DecodeOptions& options = {});

}  // namespace plimsoll::api
