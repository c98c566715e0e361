#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

/// Lower bound of a store's progress: revisions that were acknowledged before this was written.
struct HighWater {
  Revision latest{};
  Revision compacted{};

  friend bool operator==(const HighWater&, const HighWater&) = default;
};

/// A small file beside a database that records the database's latest revision. It reveals a
/// write-ahead log that is missing or truncated. The database itself cannot tell this from a log
/// that was never written.
///
/// Each note is written after the changes are synced, and is not synced itself: the kernel keeps it
/// when the process dies. After a power loss the file may hold an older note, which is still true.
/// Two notes alternate, each with a checksum, so that one survives a torn write.
///
/// Not thread-safe, except for Sync.
class HighWaterFile {
 public:
  /// Returns nothing if the file is missing. InternalError: it is unreadable or has no valid note.
  static Result<std::optional<HighWater>> Read(const std::string& path);

  /// Opens or creates the file with this note, and syncs the file and its directory.
  static Result<HighWaterFile> Open(const std::string& path, const HighWater& first);
  HighWaterFile(HighWaterFile&& other) noexcept;
  HighWaterFile& operator=(HighWaterFile&&) = delete;
  ~HighWaterFile();

  /// Overwrites the older of the two notes. After a failure the newer note, also true, remains.
  void Note(const HighWater& mark);
  /// Syncs the file, so that the last note survives a power loss.
  void Sync() const;

 private:
  explicit HighWaterFile(int file) : file_(file) {}

  int file_;
  int slot_ = 0;
};

}  // namespace plimsoll::store
