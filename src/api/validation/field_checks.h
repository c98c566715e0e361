#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "api/field_error.h"
#include "api/validation/context.h"
#include "base/syntax.h"

/// Checks that many kinds share, each with upstream's error type and text.
namespace plimsoll::api {

/// Adds one Invalid per fault.
void AddFaults(const FieldPath& at, std::string_view value, const Faults& faults,
               FieldErrors& errors);

/// Joins faults that upstream reports as one error: `a;b`.
std::string Joined(const Faults& faults, std::string_view separator);

/// Reports Invalid `must be greater than or equal to 0`.
void CheckNonNegative(std::int64_t value, const FieldPath& at, FieldErrors& errors);

/// Reports NotSupported unless the text is in the list, which is shown in the given order.
void CheckOneOf(std::string_view value, std::initializer_list<std::string_view> supported,
                const FieldPath& at, FieldErrors& errors);

/// Same as CheckOneOf, but reports Required for an empty text.
void CheckRequiredOneOf(std::string_view value, std::initializer_list<std::string_view> supported,
                        const FieldPath& at, FieldErrors& errors);

/// Adds the compiler's fault, if any.
void AddExpressionFault(const std::optional<ExpressionFault>& fault, std::string_view expression,
                        const FieldPath& at, FieldErrors& errors);

/// Checks the name of a storage or device driver: a subdomain of at most 63 bytes, in any case.
void CheckDriverName(std::string_view name, const FieldPath& at, FieldErrors& errors);
inline constexpr std::size_t kDriverNameBytesMax = 63;

}  // namespace plimsoll::api
