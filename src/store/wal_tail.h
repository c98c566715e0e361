#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/result.h"

namespace plimsoll::store {

/// State of the end of one of RocksDB's write-ahead logs.
///
/// The store syncs each record before it writes the next. So after a power loss only the last
/// record may be incomplete: some of its sectors still hold zeroes. It was never acknowledged.
/// RocksDB reports damage unless only the very end is missing.
struct WalTail {
  enum class Kind : std::uint8_t {
    Whole,    // nothing is wrong
    Torn,     // only the last record is wrong, and it lacks sectors
    Damaged,  // anything else
  };
  Kind kind = Kind::Whole;
  std::size_t good_bytes = 0;  // before the first record that is wrong
};

/// Inspects the bytes of a whole log file.
WalTail InspectWal(std::string_view bytes);

/// Truncates the newest log in the directory before its torn record. Returns false, and changes
/// nothing, if there is no torn record. InternalError: the file cannot be read or truncated.
Result<bool> CutTornTail(const std::string& directory, Logger& logger);

}  // namespace plimsoll::store
