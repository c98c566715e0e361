#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "base/worker_pool.h"

namespace plimsoll::apiserver {

struct RotationOptions {
  std::uint64_t bytes_max = 100ull << 20;  // a file that would grow beyond it is rotated
  int backups_max = 0;                     // rotated files that are kept; 0: all
  int days_max = 0;                        // age of rotated files that are kept; 0: any
  bool is_compressed = false;              // rotated files become .gz
};

/// A file of lines that is rotated by size. Rotated files are named as upstream's are:
/// `audit-2026-03-01T12-30-00.123.log` beside `audit.log`, with `.gz` at the end when compressed.
/// One thread at a time may write.
class RotatingFile {
 public:
  /// Opens the file for appending and makes it, readable by its owner alone. `-` is the standard
  /// output; it and other files that are no regular ones are never rotated. The clock and the log
  /// must outlive this.
  static Result<std::unique_ptr<RotatingFile>> Open(const std::string& path,
                                                    const RotationOptions& options, Clock& clock,
                                                    Logger& log);
  /// Finishes the compression that has begun.
  ~RotatingFile();
  RotatingFile(const RotatingFile&) = delete;
  RotatingFile& operator=(const RotatingFile&) = delete;

  /// Writes lines, each with its end, and returns how many are in the file as a whole. When it is
  /// less than all, `error` says why. A part of a line never stays in a regular file.
  std::size_t Write(std::span<const std::string> lines, std::string& error);

 private:
  RotatingFile(std::string path, const RotationOptions& options, Clock& clock, Logger& log);
  Status Reopen();
  Status Rotate();
  /// Writes lines into the present file.
  std::size_t WriteChunk(std::span<const std::string> lines, std::string& error);
  /// Compresses and removes rotated files, on the worker's thread.
  void TidyBackups();

  const std::string path_;
  const RotationOptions options_;
  Clock& clock_;
  Logger& log_;
  int file_ = -1;
  bool is_regular_ = false;
  bool is_stuck_ = false;  // the last rotation failed, which the log has said
  std::uint64_t size_ = 0;
  WorkerPool worker_{1};  // the last: its thread uses all of the above
};

}  // namespace plimsoll::apiserver
