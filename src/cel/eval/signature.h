#pragma once

#include <span>
#include <string_view>

#include "cel/library.h"
#include "cel/program.h"

/// Checks of argument types at run time, as upstream does for calls with dyn arguments.
namespace plimsoll::cel {

/// Returns true if the value can be an argument of this type. For lists and maps, only
/// the first element is checked.
bool Fits(const Type* parameter, const Value& value);
bool Fits(const Overload& overload, std::span<const Value> arguments);

/// Returns true if every value of the static type `argument` fits `parameter`.
bool AlwaysFits(const Type* argument, const Type* parameter);

/// Returns the error `no such overload: split(int, string)`.
Value NoSuchSignature(Evaluation& evaluation, std::string_view function,
                      std::span<const Value> arguments);

}  // namespace plimsoll::cel
