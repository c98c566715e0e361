#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "api/resource/device_taint.h"
#include "api/validation/device/findings.h"
#include "api/validation/kind_checks.h"
#include "api/validation/pod_options.h"
#include "codec/value.h"

/// What several kinds of resource.k8s.io ask alike. Trees are conformed.
namespace plimsoll::api {

/// The spec of an object that is to be written. Trees are null where there is none.
struct SpecChange {
  explicit SpecChange(const KindChange& change);
  /// Of a new object everything is.
  bool IsChanged(std::string_view field) const;

  const codec::Value* now;
  const codec::Value* before;
  bool is_new;
};

/// Too many items end the look at a list. False then.
bool CheckCount(std::size_t count, std::size_t count_max, const FieldPath& at, FieldErrors& errors);

/// A JSON object of a limited size that nobody here looks into. `stored`: it was there before, so
/// its size is let pass.
void CheckRawObject(const codec::Value* raw, bool stored, const FieldPath& at, FieldErrors& errors);

/// `opaque` of a class's or a claim's configuration.
void CheckConfiguration(const codec::Value& config, bool stored, const FieldPath& at,
                        DeviceFindings& out);

/// CEL selectors. `stored`: the list is as it was, so what is no longer accepted of new expressions
/// still is of these. Returns the estimated cost of all of them.
std::uint64_t CheckDeviceSelectors(std::span<const codec::Value> selectors, bool stored,
                                   const FieldPath& at, DeviceFindings& out);

/// A taint of a slice or a rule; null is one without any field. `before` is null for a new one.
void CheckDeviceTaint(const codec::Value* taint, const codec::Value* before, const FieldPath& at,
                      DeviceFindings& out);

/// The estimated cost of the expressions among the tolerations of a request.
std::uint64_t CostOfDeviceTolerations(std::span<const codec::Value> tolerations,
                                      const PodValidationOptions& options);

/// Tolerations of a request, a sub-request or an allocated device.
void CheckDeviceTolerations(std::span<const codec::Value> tolerations,
                            const PodValidationOptions& options, const FieldPath& at,
                            DeviceFindings& out);

/// `bindingConditions` and `bindingFailureConditions` of a device, or of a result.
void CheckBindingConditions(const codec::Value& holder, const FieldPath& at, DeviceFindings& out);

/// Names that must not repeat; the second is reported.
void CheckUnique(std::span<const codec::Value> texts, const FieldPath& at, FieldErrors& errors);

/// Whether the two mean the same.
bool SameMeaning(const codec::Value* a, const codec::Value* b);

}  // namespace plimsoll::api
