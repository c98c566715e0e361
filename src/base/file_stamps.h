#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// Detects that files were written or replaced, by modification time, size and inode. Not safe for
/// use by several threads at once.
class FileStamps {
 public:
  /// Records the current state of the files, to which the first HaveChanged compares.
  explicit FileStamps(std::vector<std::string> paths);

  /// Returns true if a file differs from its state at the last call. A file that has appeared or
  /// disappeared counts as different.
  bool HaveChanged();

  const std::vector<std::string>& paths() const { return paths_; }

 private:
  using Stamp = std::array<std::int64_t, 6>;
  std::vector<Stamp> Read() const;

  std::vector<std::string> paths_;
  std::vector<Stamp> stamps_;
};

}  // namespace plimsoll
