#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/log_value.h"
#include "base/result.h"
#include "base/time.h"

namespace plimsoll {

enum class LogSeverity : std::uint8_t { Info, Warning, Error };

/// Content of one log line.
struct LogRecord {
  LogSeverity severity = LogSeverity::Info;
  int verbosity = 0;             // for Info only
  const Error* error = nullptr;  // for Error only; may be null
  Instant time;
  std::int64_t process = 0;
  std::string_view file;  // __FILE__ of the log statement
  int line = 0;
  std::string_view message;
  std::span<const LogField> fields;
};

/// Returns one line, including the newline, in klog's format; the time is UTC:
/// `I1115 06:49:09.123456     123 cycle.cc:42] "Bound" pod="default/web" attempts=2`
std::string FormatLogText(const LogRecord& record);

/// Returns the line as Kubernetes components write it with --logging-format=json:
/// `{"ts":1700030949123.456,"caller":"scheduler/cycle.cc:42","msg":"Bound","v":0,"pod":{…}}`
std::string FormatLogJson(const LogRecord& record);

}  // namespace plimsoll
