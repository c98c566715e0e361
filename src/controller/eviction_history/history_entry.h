#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/action.h"
#include "api/core/node.h"
#include "api/object.h"
#include "base/time.h"
#include "controller/eviction_journal.h"

/// Entries of EvictionRecords as JSON.
namespace plimsoll::controller {

/// Longer texts of an entry are cut. The API server rejects them.
inline constexpr std::size_t kEntryTextBytesMax = 1024;

/// Returns the entry of a fact about a pod.
std::string EntryOf(const EvictionFact& fact);

/// A change of a node. `before` may be null.
struct NodeChange {
  api::ObjectPtr before;
  api::ObjectPtr now;
  Instant time{};
};

/// Returns true if a taint was added or removed, or has another value.
bool ChangesTaints(const NodeChange& change);

/// Returns one entry for each taint that differs. The owners of taints come from `owned`, which is
/// the node with its managedFields; without it they are unknown.
std::vector<std::string> EntriesOfTaints(const NodeChange& change, const api::Object* owned);

/// Returns an entry that tells how many facts were lost.
std::string EntryOfLoss(std::size_t count, Instant time);

}  // namespace plimsoll::controller
