#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

// A snapshot is text that an editor can show: a line that names the format, then for each key a
// line
// `<bytes of the key> <bytes of the value>` with the two behind it, each ended by a line break, and
// at the end `end <keys> <revision> <checksum of all before>`.

/// Whether a key is of the objects, not of the store's own accounts.
bool IsContent(std::string_view key);

class SnapshotWriter {
 public:
  SnapshotWriter();
  void Add(std::string_view key, std::string_view value);
  /// The whole text. Once.
  std::string Finish(Revision at);

 private:
  std::string text_;
  std::size_t count_ = 0;
};

struct Snapshot {
  std::vector<std::pair<std::string_view, std::string_view>> entries;  // within the text
  Revision at{};
};

/// Invalid: another format, or not whole.
Result<Snapshot> ReadSnapshot(std::string_view text);

}  // namespace plimsoll::store
