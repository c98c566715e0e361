#include "api/validation/field_checks.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace plimsoll::api {

void AddFaults(const FieldPath& at, std::string_view value, const Faults& faults,
               FieldErrors& errors) {
  for (const std::string& fault : faults) errors.Invalid(at, value, fault);
}

std::string Joined(const Faults& faults, std::string_view separator) {
  std::string out;
  for (const std::string& fault : faults) {
    if (!out.empty()) out += separator;
    out += fault;
  }
  return out;
}

void CheckNonNegative(std::int64_t value, const FieldPath& at, FieldErrors& errors) {
  if (value < 0) errors.Invalid(at, BadValue::Int(value), "must be greater than or equal to 0");
}

void CheckOneOf(std::string_view value, std::initializer_list<std::string_view> supported,
                const FieldPath& at, FieldErrors& errors) {
  if (std::ranges::find(supported, value) != supported.end()) return;
  errors.NotSupported(at, BadValue::TypedString(value), supported);
}

void CheckRequiredOneOf(std::string_view value, std::initializer_list<std::string_view> supported,
                        const FieldPath& at, FieldErrors& errors) {
  if (value.empty()) return errors.Required(at, "");
  CheckOneOf(value, supported, at, errors);
}

void AddExpressionFault(const std::optional<ExpressionFault>& fault, std::string_view expression,
                        const FieldPath& at, FieldErrors& errors) {
  if (!fault) return;
  switch (fault->kind) {
    case ExpressionFault::Kind::Invalid:
      return errors.Invalid(at, expression, fault->message);
    case ExpressionFault::Kind::TooCostly:
      return errors.Forbidden(at, "too complex, exceeds cost limit");
    case ExpressionFault::Kind::Internal:
      return errors.Internal(at, fault->message);
  }
}

void CheckDriverName(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  if (name.empty()) return errors.Required(at, "");
  if (name.size() > kDriverNameBytesMax) errors.TooLong(at, kDriverNameBytesMax);
  AddFaults(at, name, CheckDns1123Subdomain(Lowered(name)), errors);
}

}  // namespace plimsoll::api
