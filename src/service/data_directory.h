#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace plimsoll::service {

/// Data directory of a server, locked against other processes during its lifetime. The kernel
/// releases the lock when the process ends, so a killed process leaves no stale lock.
class DataDirectory {
 public:
  struct Options {
    std::string path;
    bool is_fresh = false;             // delete the objects of earlier runs; keeps certificates
    std::uint64_t free_bytes_min = 0;  // minimum free space on its disk
  };

  /// Creates the directory if necessary, and locks it. Errors say what to do: another process
  /// (named by PID) uses it, it is not writable, or the disk is full.
  static Result<DataDirectory> Claim(const Options& options);
  /// Returns the PID of the other process that has claimed the directory, or nullopt if there is
  /// none. The kernel answers, so a PID that an ended process has left is never returned. The PID
  /// is 0 for a process that this one cannot see, such as one outside its container. An error says
  /// why the directory cannot be read.
  static Result<std::optional<int>> FindOwner(const std::string& path);
  /// Returns ServiceUnavailable, with the remedy, if another process has claimed the directory.
  /// Creates nothing.
  static Status CheckUnclaimed(const std::string& path);
  DataDirectory(DataDirectory&& other) noexcept;
  DataDirectory& operator=(DataDirectory&&) = delete;
  ~DataDirectory();

  const std::string& path() const { return path_; }
  /// Returns true if an earlier run has left objects in it.
  bool had_data() const { return had_data_; }

 private:
  DataDirectory(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  Status WritePidFile();

  std::string path_;
  int lock_;
  int pid_file_ = -1;
  bool had_data_ = false;
};

}  // namespace plimsoll::service
