#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

// A snapshot is text that an editor can show. The first line names the format. Each key follows as
// a line `<bytes of the key> <bytes of the value>`, the key and the value, each ended by a line
// break. The last line is `end <keys> <revision> <checksum>`, where the checksum covers all bytes
// before it.

/// Returns true if the key holds an object, not the store's own bookkeeping.
bool IsContent(std::string_view key);

class SnapshotWriter {
 public:
  SnapshotWriter();
  void Add(std::string_view key, std::string_view value);
  /// Returns the whole text. May be called only once.
  std::string Finish(Revision at);

 private:
  std::string text_;
  std::size_t count_ = 0;
};

struct Snapshot {
  std::vector<std::pair<std::string_view, std::string_view>> entries;  // point into the text
  Revision at{};
};

/// Parses a snapshot. Invalid: another format, or incomplete.
Result<Snapshot> ReadSnapshot(std::string_view text);

}  // namespace plimsoll::store
