#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

/// Lower bound of a store's progress: revisions that were acknowledged before this was written.
struct AcknowledgedRevisions {
  Revision latest{};
  Revision compacted{};

  friend bool operator==(const AcknowledgedRevisions&, const AcknowledgedRevisions&) = default;
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
class AcknowledgedRevisionsFile {
 public:
  /// Returns nothing if the file is missing. InternalError: it is unreadable or has no valid note.
  static Result<std::optional<AcknowledgedRevisions>> Read(const std::string& path);

  /// Opens or creates the file with this note, and syncs the file and its directory.
  static Result<AcknowledgedRevisionsFile> Open(const std::string& path,
                                                const AcknowledgedRevisions& first);
  AcknowledgedRevisionsFile(AcknowledgedRevisionsFile&& other) noexcept;
  AcknowledgedRevisionsFile& operator=(AcknowledgedRevisionsFile&&) = delete;
  ~AcknowledgedRevisionsFile();

  /// Overwrites the older of the two notes. After a failure the newer note, also true, remains.
  void Write(const AcknowledgedRevisions& mark);
  /// Syncs the file, so that the last note survives a power loss.
  void Sync() const;

 private:
  explicit AcknowledgedRevisionsFile(int file) : file_(file) {}

  int file_;
  int slot_ = 0;
};

}  // namespace plimsoll::store
