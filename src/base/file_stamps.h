#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// Notices that files were written or replaced, by their time of change, size and inode. One thread
/// at a time.
class FileStamps {
 public:
  /// The state of the files now is the one that later states are compared with.
  explicit FileStamps(std::vector<std::string> paths);

  /// Returns true when a file differs from its state at the last call. A file that is not there
  /// differs from one that is.
  bool HaveChanged();

  const std::vector<std::string>& paths() const { return paths_; }

 private:
  using Stamp = std::array<std::int64_t, 6>;
  std::vector<Stamp> Read() const;

  std::vector<std::string> paths_;
  std::vector<Stamp> stamps_;
};

}  // namespace plimsoll
