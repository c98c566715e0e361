#pragma once

#include <cstdint>
#include <string>

#include "cel/program.h"

/// Reading a part of a value: a.b, a[b], has(a.b) and the optional forms.
namespace plimsoll::cel {

enum class Access : std::uint8_t {
  Present,  // `out` is the part
  Absent,   // no such key, no such index, or nothing to look into
  Failed    // `out` is the error: a key that no value of this kind can have
};

/// Whether values of this kind can stand in a[b].
bool CanBeKey(ValueKind kind);

Access Find(Evaluation& evaluation, const Value& whole, const Value& key, Value& out);

/// `no such key: x` or `index out of bounds: 7`.
Value AbsentError(Evaluation& evaluation, const Value& whole, const Value& key);

/// A key as messages show it.
std::string KeyText(const Value& key);
/// What Go calls the type of a value, as some messages show it: `types.Int`.
std::string GoTypeName(const Value& value);

}  // namespace plimsoll::cel
