#pragma once

#include <cstdint>
#include <string>

#include "cel/program.h"

/// Access to a part of a value: a.b, a[b], has(a.b) and the optional forms.
namespace plimsoll::cel {

enum class Access : std::uint8_t {
  Present,  // `out` is the part
  Absent,   // no such key or index, or an empty optional
  Failed    // `out` is the error: an invalid key for this kind of value
};

/// Returns true if values of this kind can be used as b in a[b].
bool CanBeKey(ValueKind kind);

Access Find(Evaluation& evaluation, const Value& whole, const Value& key, Value& out);

/// Returns `no such key: x` or `index out of bounds: 7`.
Value AbsentError(Evaluation& evaluation, const Value& whole, const Value& key);

/// Formats a key for messages.
std::string KeyText(const Value& key);
/// Returns the Go type of a value, as some messages show it: `types.Int`.
std::string GoTypeName(const Value& value);

}  // namespace plimsoll::cel
