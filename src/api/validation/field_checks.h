#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "api/field_error.h"
#include "api/validation/context.h"
#include "base/syntax.h"

/// Checks that many kinds share, each with upstream's type and text.
namespace plimsoll::api {

/// One Invalid per fault.
void AddFaults(const FieldPath& at, std::string_view value, const Faults& faults,
               FieldErrors& errors);

/// `a;b`: faults that upstream reports as one.
std::string Joined(const Faults& faults, std::string_view separator);

/// Invalid `must be greater than or equal to 0`.
void CheckNonNegative(std::int64_t value, const FieldPath& at, FieldErrors& errors);

/// NotSupported unless the text is one of those; the list is shown in its order.
void CheckOneOf(std::string_view value, std::initializer_list<std::string_view> supported,
                const FieldPath& at, FieldErrors& errors);

/// As CheckOneOf, but an empty text is Required.
void CheckRequiredOneOf(std::string_view value, std::initializer_list<std::string_view> supported,
                        const FieldPath& at, FieldErrors& errors);

/// What a compiler found, if anything.
void AddExpressionFault(const std::optional<ExpressionFault>& fault, std::string_view expression,
                        const FieldPath& at, FieldErrors& errors);

/// Of storage or of devices: a subdomain of at most 63 bytes, case not minded.
void CheckDriverName(std::string_view name, const FieldPath& at, FieldErrors& errors);
inline constexpr std::size_t kDriverNameBytesMax = 63;

}  // namespace plimsoll::api
