#pragma once

#include <map>
#include <set>
#include <string_view>

#include "api/validation/context.h"
#include "api/validation/device/findings.h"
#include "api/validation/pod_options.h"
#include "codec/value.h"

namespace plimsoll::api {

/// The names of a claim's requests, each with those of its sub-requests.
class RequestNames {
 public:
  /// `devices` of a claim's spec; null is one without requests.
  explicit RequestNames(const codec::Value* devices);

  /// `request`, or `request/sub`.
  bool Has(std::string_view reference) const;
  /// Names the parts that are no names, and a reference to nothing.
  void Check(std::string_view reference, const FieldPath& at, FieldErrors& errors) const;
  /// A list of references without repetition.
  void CheckList(const codec::Value& holder, const FieldPath& at, DeviceFindings& out) const;

 private:
  std::map<std::string_view, std::set<std::string_view>> names_;
};

/// `spec.devices` of a claim, or of the claims that a template makes.
void CheckDeviceClaim(const codec::Value* devices, const PodValidationOptions& options,
                      const FieldPath& at, DeviceFindings& out);

/// Which tolerations the gates let pass, and which those that were there before do; `before` is the
/// devices of the former spec, or null.
PodValidationOptions DeviceTolerationOptions(const ValidationContext& context,
                                             const codec::Value* before);

}  // namespace plimsoll::api
