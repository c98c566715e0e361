#include "api/defaults/hooks.h"

namespace plimsoll::api::defaults {

/// Allocatable defaults to the capacity.
void DefaultNodeStatus(Document& document, Value& status) {
  using F = fields::core_v1::NodeStatus;
  const Value* capacity = FindMember(status, F::kCapacity);
  if (capacity == nullptr) return;
  PutIfAbsent<F>(document, status, F::kAllocatable, document.Clone(*capacity));
}

}  // namespace plimsoll::api::defaults
