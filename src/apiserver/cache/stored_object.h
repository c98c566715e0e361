#pragma once

#include <atomic>
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
/// Immutable, shared by reference count, safe for use by many threads.
class StoredObject {
 public:
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
  /// What field selectors may ask for: metadata.name, spec.nodeName, …
  const api::StringMap& fields() const { return fields_; }

  /// Parsed; shared with others who hold it at the same time.
  std::shared_ptr<const api::Object> Decode() const;

 private:
  StoredObject() = default;
  const Resource* resource_ = nullptr;
  Bytes bytes_;
  store::Revision revision_{};
  std::string texts_;  // what the views below point into
  std::string_view namespace_view_;
  std::string_view name_view_;
  std::string_view uid_view_;
  api::StringMap labels_;
  api::StringMap fields_;
  mutable std::atomic<std::weak_ptr<const api::Object>> decoded_;
};

}  // namespace plimsoll::apiserver
