#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/time.h"
#include "codec/value.h"

/// Reading the fields that no typed view has, and writing small JSON texts.
namespace plimsoll::controller {

using TreePath = std::initializer_list<std::string_view>;

/// What stands at the path, or null.
const codec::Value* FindAt(const codec::Value& tree, TreePath path);
/// Likewise, with a fallback for what is missing or of another kind.
std::int64_t IntAt(const codec::Value& tree, TreePath path, std::int64_t fallback = 0);
bool BoolAt(const codec::Value& tree, TreePath path, bool fallback = false);
std::string_view TextAt(const codec::Value& tree, TreePath path);
std::optional<Instant> TimeAt(const codec::Value& tree, TreePath path);

/// A number, or a percentage of `total`; what is neither counts as nothing. Upstream rounds up
/// where more is the safer answer.
enum class Rounding : std::uint8_t { Down, Up };
std::int64_t ScaledAt(const codec::Value& tree, TreePath path, std::int64_t total,
                      Rounding rounding, std::int64_t fallback);

/// A JSON object, member by member.
class JsonText {
 public:
  JsonText& Raw(std::string_view key, std::string_view json);
  JsonText& Text(std::string_view key, std::string_view value);
  JsonText& Int(std::string_view key, std::int64_t value);
  JsonText& Bool(std::string_view key, bool value);

  bool empty() const { return members_.empty(); }
  std::string Done() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

/// The part of a status that differs from what is stored, as a merge patch.
class StatusChange {
 public:
  explicit StatusChange(const api::Object& object);

  /// A field that is there even when it is zero.
  StatusChange& Int(std::string_view key, std::int64_t value);
  /// A field that goes when it is zero or empty.
  StatusChange& Count(std::string_view key, std::int64_t value);
  StatusChange& Text(std::string_view key, std::string_view value);
  /// The field becomes this JSON text, whatever it was.
  StatusChange& Raw(std::string_view key, std::string_view json);

  bool empty() const { return changed_.empty(); }
  /// Refused by the server if the object has changed since.
  std::string Patch() const;

 private:
  const api::Object& object_;
  const codec::Value* status_;
  JsonText changed_;
};

/// When the object was made; the beginning of time when nobody says.
Instant CreationTime(const api::ObjectMeta& metadata);

}  // namespace plimsoll::controller
