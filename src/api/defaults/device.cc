#include "api/defaults/hooks.h"

namespace plimsoll::api::defaults {
namespace {

/// The count of an ExactCount request defaults to one.
template <class F>
void DefaultCount(Document& document, Value& request) {
  if (TextOf(request, F::kAllocationMode) != "ExactCount") return;
  if (IsZero(FindMember(request, F::kCount))) {
    Put<F>(document, request, F::kCount, Value::Int(1));
  }
}

}  // namespace

void DefaultExactDeviceRequest(Document& document, Value& request) {
  DefaultCount<fields::resource_v1::ExactDeviceRequest>(document, request);
}

void DefaultDeviceSubRequest(Document& document, Value& request) {
  DefaultCount<fields::resource_v1::DeviceSubRequest>(document, request);
}

/// A toleration with an expression has no operator.
void DefaultDeviceToleration(Document& document, Value& toleration) {
  using F = fields::resource_v1::DeviceToleration;
  if (!TextOf(toleration, F::kExpression).empty()) return;
  if (!IsZero(FindMember(toleration, F::kOperator))) return;
  Put<F>(document, toleration, F::kOperator, Value::String("Equal"));
}

}  // namespace plimsoll::api::defaults
