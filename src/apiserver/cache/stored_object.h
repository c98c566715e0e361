#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "api/meta/string_map.h"
#include "api/object.h"
#include "apiserver/resource/resource.h"
#include "base/bytes.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// An object as the server keeps it in memory: the bytes that are sent, and what selectors ask for.
/// Immutable, shared by reference count, safe for use by many threads. There may be hundreds of
/// thousands, so every text is a view into the bytes.
class StoredObject {
  struct Private {};

 public:
  explicit StoredObject(Private) {}

  /// `stored` is the committed text. InternalError for bytes that are no object of the resource.
  static Result<std::shared_ptr<const StoredObject>> Make(const Resource& resource,
                                                          std::string_view stored,
                                                          store::Revision revision);

  const Resource& resource() const { return *resource_; }
  /// JSON with its resourceVersion.
  const Bytes& bytes() const { return bytes_; }
  store::Revision revision() const { return revision_; }
  std::string_view namespace_() const { return namespace_view_; }
  std::string_view name() const { return name_view_; }
  std::string_view uid() const { return uid_view_; }
  const api::StringMap& labels() const { return labels_; }
  /// What field selectors may ask for, by its label: metadata.name, spec.nodeName, … Empty when the
  /// object lacks it, and for labels that the kind does not have.
  std::string_view Field(std::string_view label) const;
  /// All of them; made anew at each call.
  api::StringMap fields() const;

  /// The same object with another resourceVersion: how it is sent when it is deleted, or leaves
  /// what somebody watches.
  std::shared_ptr<const StoredObject> At(store::Revision revision) const;

  /// Parsed; shared with others who hold it at the same time. Null when the bytes are no such
  /// object after all, of which Make reads but a part.
  std::shared_ptr<const api::Object> Decode() const;

  /// About what it takes of memory, all included.
  std::size_t memory_bytes() const;

 private:
  class Reader;

  const Resource* resource_ = nullptr;
  Bytes bytes_;
  store::Revision revision_{};
  std::string_view namespace_view_;
  std::string_view name_view_;
  std::string_view uid_view_;
  std::string_view revision_view_;
  api::StringMap labels_;
  std::unique_ptr<std::string_view[]> fields_;          // as many as SelectableFields of the kind
  std::unique_ptr<std::deque<std::string>> unescaped_;  // the few texts that need another form
  mutable std::weak_ptr<const api::Object> decoded_;
  mutable std::atomic_flag decoded_lock_;  // held for the copy of a pointer
};

}  // namespace plimsoll::apiserver
