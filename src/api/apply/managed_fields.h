#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/apply/field_set.h"
#include "base/result.h"
#include "base/time.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Entry of metadata.managedFields. Its texts belong to the tree that it was read from.
struct ManagedEntry {
  enum class Operation : std::uint8_t { Apply, Update };  // in sort order

  std::string_view manager;
  Operation operation = Operation::Update;
  std::string_view api_version;
  std::string_view subresource;
  std::optional<Instant> time;
  FieldSet fields;

  /// Returns true if both entries are of one manager. The version of an Apply entry is ignored.
  bool IsSameManager(const ManagedEntry& other) const;
  /// Returns the name used in messages: `"kubectl" with subresource "scale" using apps/v1`.
  std::string Text() const;
};

/// The list metadata.managedFields.
class ManagedFields {
 public:
  /// Decodes `list`, which may be null. BadRequest in upstream's words for malformed entries.
  static Result<ManagedFields> Decode(codec::Document& arena, const codec::Value* list);
  /// Sorts as upstream: by operation, time, manager, version, sub-resource. Null when empty.
  codec::Value Encode(codec::Document& out) const;

  bool empty() const { return entries_.empty(); }
  std::vector<ManagedEntry>& entries() { return entries_; }
  const std::vector<ManagedEntry>& entries() const { return entries_; }
  /// Returns the entry of the same manager as `like`, or null.
  ManagedEntry* Find(const ManagedEntry& like);

  /// Merges the oldest Update entries into entries named `ancient-changes`, one per version, until
  /// at most kUpdatesMax are left.
  void Cap();
  static constexpr std::size_t kUpdatesMax = 10;

 private:
  std::vector<ManagedEntry> entries_;
};

/// Returns true if a client asks to clear all entries: `[]` or `[{}]`.
bool IsManagedFieldsReset(const codec::Value* list);

}  // namespace plimsoll::api
