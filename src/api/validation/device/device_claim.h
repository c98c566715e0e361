#pragma once

#include <map>
#include <set>
#include <string_view>

#include "api/validation/context.h"
#include "api/validation/device/findings.h"
#include "api/validation/pod_options.h"
#include "codec/value.h"

namespace plimsoll::api {

/// Names of a claim's requests and their sub-requests.
class RequestNames {
 public:
  /// Takes `devices` of a claim's spec; null has no requests.
  explicit RequestNames(const codec::Value* devices);

  /// Takes `request` or `request/sub`.
  bool Has(std::string_view reference) const;
  /// Reports malformed names and a reference to an unknown request.
  void Check(std::string_view reference, const FieldPath& at, FieldErrors& errors) const;
  /// Checks a list of references without duplicates.
  void CheckList(const codec::Value& holder, const FieldPath& at, DeviceFindings& out) const;

 private:
  std::map<std::string_view, std::set<std::string_view>> names_;
};

/// Checks `spec.devices` of a claim, or of the claims that a template creates.
void CheckDeviceClaim(const codec::Value* devices, const PodValidationOptions& options,
                      const FieldPath& at, DeviceFindings& out);

/// Returns the toleration options from the gates and from the tolerations in use. `before` is
/// `devices` of the stored spec, or null.
PodValidationOptions DeviceTolerationOptions(const ValidationContext& context,
                                             const codec::Value* before);

}  // namespace plimsoll::api
