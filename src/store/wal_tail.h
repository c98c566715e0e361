#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/result.h"

namespace plimsoll::store {

/// What the end of one of RocksDB's write-ahead logs is like.
///
/// The store syncs each record before it writes the next, so when a machine loses its power, the
/// last record may be there in part: some of its sectors as they were before, which is zero. That
/// was never acknowledged. RocksDB takes it for damage unless it is the very end that is missing.
struct WalTail {
  enum class Kind : std::uint8_t {
    Whole,    // nothing is wrong
    Torn,     // only the last record, and it lacks sectors
    Damaged,  // anything else
  };
  Kind kind = Kind::Whole;
  std::size_t good_bytes = 0;  // before the first record that is wrong
};

/// Looks at the bytes of a whole file.
WalTail InspectWal(std::string_view bytes);

/// Cuts the torn record off the newest log in the directory, for good. False: there is none to be
/// cut, and nothing was changed. InternalError: the file cannot be read or cut.
Result<bool> CutTornTail(const std::string& directory, Logger& logger);

}  // namespace plimsoll::store
