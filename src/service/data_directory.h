#pragma once

#include <cstdint>
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
  DataDirectory(DataDirectory&& other) noexcept;
  DataDirectory& operator=(DataDirectory&&) = delete;
  ~DataDirectory();

  const std::string& path() const { return path_; }
  /// Returns true if an earlier run has left objects in it.
  bool had_data() const { return had_data_; }

 private:
  DataDirectory(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;
  bool had_data_ = false;
};

}  // namespace plimsoll::service
