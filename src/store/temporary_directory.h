#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/assert.h"

namespace plimsoll::store {

/// A directory that is gone with it, for tests.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(Base() + "/plimsoll-store-XXXXXX") {
    PL_ASSERT(mkdtemp(path_.data()) != nullptr);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  /// In memory where that can be had: a test of the logic need not wait for a disk.
  static std::string Base() {
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                         : std::filesystem::temp_directory_path().string();
  }

  std::string path_;
};

}  // namespace plimsoll::store
