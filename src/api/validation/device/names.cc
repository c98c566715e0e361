#include "api/validation/device/names.h"

#include <algorithm>
#include <string>

#include "api/validation/field_checks.h"
#include "base/text/ascii.h"

namespace plimsoll::api {
namespace {

constexpr std::size_t kPoolNameBytesMax = 253;
constexpr std::size_t kIdBytesMax = 32;

void CheckId(std::string_view id, const FieldPath& at, FieldErrors& errors) {
  if (id.size() > kIdBytesMax) errors.TooLong(at, kIdBytesMax);
  AddFaults(at, id, CheckCIdentifier(id), errors);
}

}  // namespace

void CheckShortName(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  AddFaults(at, name, CheckDns1123Label(name), errors);
}

Faults CheckLongName(std::string_view name) {
  Faults faults = CheckDns1123Subdomain(name);
  if (name.size() > kDns1123SubdomainBytesMax && !faults.empty()) {
    faults.front() = "must be no more than 253 bytes";
  }
  return faults;
}

void CheckPoolName(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  if (name.empty()) return errors.Required(at, "");
  if (name.size() > kPoolNameBytesMax) errors.TooLong(at, kPoolNameBytesMax);
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find('/', from), name.size());
    const std::string_view part = name.substr(from, end - from);
    AddFaults(at, part, CheckDns1123Subdomain(part), errors);
    from = end + 1;
  }
}

void CheckQualifiedAttribute(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return CheckId(name, at, errors);
  const std::string_view domain = name.substr(0, slash);
  const std::string_view id = name.substr(slash + 1);
  if (id.contains('/')) return;
  if (domain.empty()) {
    errors.Invalid(at, "", "the domain must not be empty");
  } else {
    CheckDriverName(domain, at, errors);
  }
  if (id.empty()) return errors.Invalid(at, "", "the name must not be empty");
  CheckId(id, at, errors);
}

void CheckFullyQualifiedAttribute(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) {
    CheckId(name, at, errors);
    return errors.Invalid(
        at, name, "a fully qualified name must be a domain and a name separated by a slash");
  }
  const std::string_view domain = name.substr(0, slash);
  const std::string_view id = name.substr(slash + 1);
  if (id.contains('/')) return;
  if (domain.empty()) {
    errors.Invalid(at, "", "prefix must not be empty");
  } else {
    if (domain.size() > kDriverNameBytesMax) errors.TooLong(at, kDriverNameBytesMax);
    for (const std::string& fault : CheckLongName(domain)) {
      errors.Invalid(at, domain, "prefix: " + fault);
    }
  }
  if (id.empty()) return errors.Invalid(at, "", "name must not be empty");
  CheckId(id, at, errors);
}

void CheckShareId(std::string_view id, const FieldPath& at, FieldErrors& errors) {
  static constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const bool is_right =
      id.size() == kForm.size() && std::ranges::equal(id, kForm, [](char c, char form) {
        return form == '-' ? c == '-' : IsHexDigit(c) && ToLower(c) == c;
      });
  if (is_right) return;
  errors.Invalid(at, id, "must be a lowercase UUID in 8-4-4-4-12 format");
}

}  // namespace plimsoll::api
