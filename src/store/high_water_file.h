#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

/// How far a store has come at least: what was acknowledged before this was written.
struct HighWater {
  Revision latest{};
  Revision compacted{};

  friend bool operator==(const HighWater&, const HighWater&) = default;
};

/// A small file beside a database that remembers how far the database has come. It shows when a
/// write-ahead log is missing or was cut off, which the database itself cannot tell from a log that
/// was never written.
///
/// Each note is written after the changes are synced, and is not synced itself: the kernel keeps it
/// when the process dies. After a loss of power the file may hold an older note, which is still
/// true. Two notes alternate, each with a checksum, so that one survives a torn write.
///
/// Not safe for use by many threads, save for Sync.
class HighWaterFile {
 public:
  /// Nothing: there is no such file. InternalError: it cannot be read, or holds no whole note.
  static Result<std::optional<HighWater>> Read(const std::string& path);

  /// Opens or makes the file with this note, and syncs both it and its directory.
  static Result<HighWaterFile> Open(const std::string& path, const HighWater& first);
  HighWaterFile(HighWaterFile&& other) noexcept;
  HighWaterFile& operator=(HighWaterFile&&) = delete;
  ~HighWaterFile();

  /// Replaces the older of the two notes. A failure leaves the newer one, which is true as well.
  void Note(const HighWater& mark);
  /// Makes the last note survive a loss of power.
  void Sync() const;

 private:
  explicit HighWaterFile(int file) : file_(file) {}

  int file_;
  int slot_ = 0;
};

}  // namespace plimsoll::store
