#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"

namespace plimsoll::apiserver {

struct RotationOptions {
  std::uint64_t bytes_max = 100ull << 20;  // a larger file is rotated
  int backups_max = 0;                     // number of rotated files to keep; 0: all
  int days_max = 0;                        // maximum age of rotated files; 0: any
  bool is_compressed = false;              // compresses rotated files to .gz
};

/// A file of lines that is rotated by size. Rotated files have upstream's names:
/// `audit-2026-03-01T12-30-00.123.log` beside `audit.log`, with the suffix `.gz` if compressed.
/// Only one thread at a time may write.
class RotatingFile {
 public:
  /// Opens the file for appending; creates it readable by its owner only. `-` is the standard
  /// output. Only regular files are rotated.
  /// The clock and the log must outlive this object.
  static Result<std::unique_ptr<RotatingFile>> Open(const std::string& path,
                                                    const RotationOptions& options, Clock& clock,
                                                    Logger& log);
  /// Finishes a running compression.
  ~RotatingFile();
  RotatingFile(const RotatingFile&) = delete;
  RotatingFile& operator=(const RotatingFile&) = delete;

  /// Writes lines, each with a line end. Returns how many were written as a whole; if not all,
  /// `error` has the reason. A partial line never stays in a regular file.
  std::size_t Write(std::span<const std::string> lines, std::string& error);

 private:
  RotatingFile(std::string path, const RotationOptions& options, Clock& clock, Logger& log);
  Status Reopen();
  Status Rotate();
  /// Writes lines to the current file.
  std::size_t WriteChunk(std::span<const std::string> lines, std::string& error);
  /// Compresses and removes rotated files on the worker's thread.
  void TidyBackups();

  const std::string path_;
  const RotationOptions options_;
  Clock& clock_;
  Logger& log_;
  int file_ = -1;
  bool is_regular_ = false;
  bool is_stuck_ = false;  // the last rotation failed, and the error was logged
  std::uint64_t size_ = 0;
  WorkerPool worker_{1};  // last: its thread uses the members above
};

}  // namespace plimsoll::apiserver
