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

/// Checks shared by several kinds of resource.k8s.io. Trees are conformed.
namespace plimsoll::api {

/// The spec of an object before and after a write. A missing tree is null.
struct SpecChange {
  explicit SpecChange(const KindChange& change);
  /// Returns true if the field changed; always true for a new object.
  bool IsChanged(std::string_view field) const;

  const codec::Value* now;
  const codec::Value* before;
  bool is_new;
};

/// Reports too many items. Returns false then; the caller must not check the items.
bool CheckCount(std::size_t count, std::size_t count_max, const FieldPath& at, FieldErrors& errors);

/// Checks an opaque JSON object and its size. With `stored`, the object was stored before,
/// so its size is not checked.
void CheckRawObject(const codec::Value* raw, bool stored, const FieldPath& at, FieldErrors& errors);

/// Checks `opaque` of the configuration of a class or a claim.
void CheckConfiguration(const codec::Value& config, bool stored, const FieldPath& at,
                        DeviceFindings& out);

/// Checks CEL selectors. With `stored`, the list is unchanged, so expressions that are no longer
/// accepted from new objects pass. Returns the estimated cost of all of them.
std::uint64_t CheckDeviceSelectors(std::span<const codec::Value> selectors, bool stored,
                                   const FieldPath& at, DeviceFindings& out);

/// Checks a taint of a slice or a rule; null counts as empty. `before` is null for a new taint.
void CheckDeviceTaint(const codec::Value* taint, const codec::Value* before, const FieldPath& at,
                      DeviceFindings& out);

/// Returns the estimated cost of all expressions in the tolerations of a request.
std::uint64_t CostOfDeviceTolerations(std::span<const codec::Value> tolerations,
                                      const PodValidationOptions& options);

/// Checks the tolerations of a request, a sub-request or an allocated device.
void CheckDeviceTolerations(std::span<const codec::Value> tolerations,
                            const PodValidationOptions& options, const FieldPath& at,
                            DeviceFindings& out);

/// Checks `bindingConditions` and `bindingFailureConditions` of a device, or of a result.
void CheckBindingConditions(const codec::Value& holder, const FieldPath& at, DeviceFindings& out);

/// Reports each repeated text.
void CheckUnique(std::span<const codec::Value> texts, const FieldPath& at, FieldErrors& errors);

/// Returns true if the two are semantically equal.
bool SameMeaning(const codec::Value* a, const codec::Value* b);

}  // namespace plimsoll::api
