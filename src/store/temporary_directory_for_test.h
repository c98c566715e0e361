#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/assert.h"

namespace plimsoll::store {

/// A directory for tests. The destructor deletes it.
class TemporaryDirectory {
 public:
  /// Creates it in memory if possible: a test of the logic need not wait for a disk.
  TemporaryDirectory()
      : TemporaryDirectory(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : OnDisk()) {}
  explicit TemporaryDirectory(const std::string& base) : path_(base + "/plimsoll-store-XXXXXX") {
    PL_ASSERT(mkdtemp(path_.data()) != nullptr);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  static std::string OnDisk() { return std::filesystem::temp_directory_path().string(); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace plimsoll::store
