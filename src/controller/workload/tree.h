#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/time.h"
#include "codec/json_text.h"
#include "codec/value_at.h"

/// Reads fields that have no typed view, and writes small JSON texts.
namespace plimsoll::controller {

using TreePath = std::initializer_list<std::string_view>;

/// Returns the value at the path, or `fallback` if it is missing or of another type.
std::int64_t IntAt(const codec::Value& tree, TreePath path, std::int64_t fallback = 0);
bool BoolAt(const codec::Value& tree, TreePath path, bool fallback = false);
std::optional<Instant> TimeAt(const codec::Value& tree, TreePath path);

/// Returns a number, or a percentage of `total`, or `fallback` if it is neither. Upstream rounds up
/// where a higher number is safer.
enum class Rounding : std::uint8_t { Down, Up };
std::int64_t ScaledAt(const codec::Value& tree, TreePath path, std::int64_t total,
                      Rounding rounding, std::int64_t fallback);

using codec::JsonText;

/// A merge patch of the status fields that differ from the stored ones.
class StatusChange {
 public:
  explicit StatusChange(const api::Object& object);

  /// Sets a field. Zero is written.
  StatusChange& Int(std::string_view key, std::int64_t value);
  /// Sets a field. Zero or an empty text removes it.
  StatusChange& Count(std::string_view key, std::int64_t value);
  StatusChange& Text(std::string_view key, std::string_view value);
  /// Sets a field to this JSON text, without comparing it.
  StatusChange& Raw(std::string_view key, std::string_view json);

  bool empty() const { return changed_.empty(); }
  /// Returns the patch. It fails with Conflict if the object has changed.
  std::string Patch() const;

 private:
  const api::Object& object_;
  const codec::Value* status_;
  JsonText changed_;
};

/// Returns the object's creation time; Instant() if it has none.
Instant CreationTime(const api::ObjectMeta& metadata);

}  // namespace plimsoll::controller
