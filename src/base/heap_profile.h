#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// Returns a profile of the memory in use, in the text format of gperftools that `pprof` reads.
/// ServiceUnavailable: the allocator does not sample, because it is not jemalloc or `prof` is off.
Result<std::string> TakeHeapProfile();

/// Converts a heap dump of jemalloc (`heap_v2/…`), which only jeprof reads, to that format.
std::string ConvertHeapDump(std::string_view dump);

}  // namespace plimsoll
