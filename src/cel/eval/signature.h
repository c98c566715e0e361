#pragma once

#include <span>
#include <string_view>

#include "cel/library.h"
#include "cel/program.h"

/// Upstream's guard before calls that the checker could not vouch for.
namespace plimsoll::cel {

/// Whether a value can be an argument of this type. Parameters of lists and maps are compared with
/// their first element only.
bool Fits(const Type* parameter, const Value& value);
bool Fits(const Overload& overload, std::span<const Value> arguments);

/// Whether every value of the first, static type is sure to fit the second.
bool AlwaysFits(const Type* argument, const Type* parameter);

/// `no such overload: split(int, string)`
Value NoSuchSignature(Evaluation& evaluation, std::string_view function,
                      std::span<const Value> arguments);

}  // namespace plimsoll::cel
