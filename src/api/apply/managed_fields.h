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

/// Of metadata.managedFields: what one manager owns. Texts belong to the tree that it came from.
struct ManagedEntry {
  enum class Operation : std::uint8_t { Apply, Update };  // in their order

  std::string_view manager;
  Operation operation = Operation::Update;
  std::string_view api_version;
  std::string_view subresource;
  std::optional<Instant> time;
  FieldSet fields;

  /// Whether both are one manager's. Who applies is the same in all versions.
  bool IsSameManager(const ManagedEntry& other) const;
  /// As messages name it: `"kubectl" with subresource "scale" using apps/v1`.
  std::string Text() const;
};

/// The whole list.
class ManagedFields {
 public:
  /// `list` may be null. BadRequest in upstream's words for what no server wrote.
  static Result<ManagedFields> Decode(codec::Document& arena, const codec::Value* list);
  /// In upstream's order: by operation, time, manager, version, sub-resource. Null when empty.
  codec::Value Encode(codec::Document& out) const;

  bool empty() const { return entries_.empty(); }
  std::vector<ManagedEntry>& entries() { return entries_; }
  const std::vector<ManagedEntry>& entries() const { return entries_; }
  /// Null when there is none.
  ManagedEntry* Find(const ManagedEntry& like);
  void RemoveEmpty();

  /// Joins the oldest updates into entries of `ancient-changes`, one per version, until at most
  /// kUpdatesMax are left.
  void Cap();
  static constexpr std::size_t kUpdatesMax = 10;

 private:
  std::vector<ManagedEntry> entries_;
};

/// Whether a client asks to forget all: `[]`, or `[{}]` where a list cannot be empty.
bool IsManagedFieldsReset(const codec::Value* list);

}  // namespace plimsoll::api
