#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "api/meta/string_map.h"
#include "api/object.h"
#include "api/status/status.h"
#include "apiserver/resource/resource.h"
#include "apiserver/resource/stored_bytes.h"
#include "base/bytes.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// An object as cached in memory: the bytes to send and the values that selectors need. Immutable,
/// shared by reference count, safe for use by many threads. There may be hundreds of thousands, so
/// every text is a view into the bytes.
class StoredObject {
  struct Private {};

 public:
  explicit StoredObject(Private) {}

  /// `stored` is the committed text, and `tree` the same object if a writer of this process passed
  /// it. Fails with InternalError if the text is no object of the resource.
  static Result<std::shared_ptr<const StoredObject>> Make(const Resource& resource,
                                                          std::string_view stored,
                                                          store::Revision revision,
                                                          TreePtr tree = nullptr);

  const Resource& resource() const { return *resource_; }
  /// JSON with its resourceVersion.
  const Bytes& bytes() const { return bytes_; }
  store::Revision revision() const { return revision_; }
  std::string_view namespace_() const { return namespace_view_; }
  std::string_view name() const { return name_view_; }
  std::string_view uid() const { return uid_view_; }
  const api::StringMap& labels() const { return labels_; }
  /// Returns the value of a field selector's label: metadata.name, spec.nodeName, … Returns "" if
  /// the object or the kind does not have it.
  std::string_view Field(std::string_view label) const;
  /// Returns all selectable fields; computed with each call.
  api::StringMap fields() const;

  /// Returns the object with another resourceVersion, as sent when it is deleted or leaves the
  /// selection of a watch.
  std::shared_ptr<const StoredObject> At(store::Revision revision) const;

  /// Returns the decoded object, shared with other holders. Copies the tree of the commit if it is
  /// still there, otherwise parses the bytes. Fails with InternalError if they are no such object:
  /// Make checks only a part of them.
  api::Answer<std::shared_ptr<const api::Object>> Decode() const;
  /// Releases the tree of the commit, which takes several times the memory of the bytes.
  void ReleaseTree() const;

  /// Returns the approximate memory use.
  std::size_t memory_bytes() const;

 private:
  class Reader;

  Result<std::shared_ptr<const api::Object>> NewObject(const TreePtr& tree) const;
  template <class Work>
  auto Locked(Work work) const;

  const Resource* resource_ = nullptr;
  Bytes bytes_;
  store::Revision revision_{};
  std::string_view namespace_view_;
  std::string_view name_view_;
  std::string_view uid_view_;
  std::string_view revision_view_;
  api::StringMap labels_;
  std::unique_ptr<std::string_view[]> fields_;          // one per SelectableField of the kind
  std::unique_ptr<std::deque<std::string>> unescaped_;  // the few strings with escapes
  mutable TreePtr tree_;  // of the commit, or of another revision of this object
  mutable std::weak_ptr<const api::Object> decoded_;
  mutable std::atomic_flag decoded_lock_;  // guards the two above; held only to copy a pointer
};

}  // namespace plimsoll::apiserver
