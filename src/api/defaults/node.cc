#include "api/defaults/hooks.h"

namespace plimsoll::api::defaults {

/// A node that does not say what is left for pods leaves all of it.
void DefaultNodeStatus(Document& document, Value& status) {
  using F = fields::core_v1::NodeStatus;
  const Value* capacity = FindMember(status, F::kCapacity);
  if (capacity == nullptr) return;
  PutIfAbsent<F>(document, status, F::kAllocatable, document.Clone(*capacity));
}

}  // namespace plimsoll::api::defaults
