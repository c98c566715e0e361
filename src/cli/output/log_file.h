#pragma once

#include <fstream>
#include <iosfwd>
#include <mutex>
#include <string>

#include "base/log.h"
#include "base/result.h"

namespace plimsoll::cli {

/// Log of a command: its standard error, or a file once that is open.
class LogFile final : public LogSink {
 public:
  /// The stream must outlive the log.
  explicit LogFile(std::ostream& standard_error) : standard_error_(standard_error) {}

  /// Appends to the file from now on; creates it and its directory. Invalid: that is not possible.
  Status Open(const std::string& path);
  void Write(std::string_view text) override;

 private:
  std::ostream& standard_error_;
  std::mutex mutex_;  // guards file_, and the lines of either
  std::ofstream file_;
};

}  // namespace plimsoll::cli
