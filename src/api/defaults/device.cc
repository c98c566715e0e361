#include "api/defaults/hooks.h"

namespace plimsoll::api::defaults {
namespace {

/// A request for a number of devices that gives none asks for one.
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

}  // namespace plimsoll::api::defaults
