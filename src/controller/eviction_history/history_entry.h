#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Returns one entry for each taint that differs. Either node may be null.
std::vector<std::string> EntriesOfTaints(const api::Object* before, const api::Object* now,
                                         Instant time);

/// Returns an entry that tells how many facts were lost.
std::string EntryOfLoss(std::size_t count, Instant time);

}  // namespace plimsoll::controller
