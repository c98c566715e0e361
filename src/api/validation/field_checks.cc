#include "api/validation/field_checks.h"

#include <algorithm>

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

}  // namespace plimsoll::api
