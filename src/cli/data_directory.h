#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace plimsoll::cli {

/// A server's directory. While this lives, no other process starts a server in it; the lock goes
/// with the process, so one that was killed leaves nothing behind that must be cleaned up.
class DataDirectory {
 public:
  struct Wish {
    std::string path;
    bool is_fresh = false;             // forget the objects of earlier runs; certificates stay
    std::uint64_t free_bytes_min = 0;  // on its disk
  };

  /// Makes the directory unless it is there. An error says what to do: a process, named by its
  /// number, has it; nothing can be written there; the disk is full.
  static Result<DataDirectory> Claim(const Wish& wish);
  DataDirectory(DataDirectory&& other) noexcept;
  DataDirectory& operator=(DataDirectory&&) = delete;
  ~DataDirectory();

  const std::string& path() const { return path_; }
  /// Whether an earlier run has left objects here.
  bool had_data() const { return had_data_; }

 private:
  DataDirectory(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;
  bool had_data_ = false;
};

}  // namespace plimsoll::cli
