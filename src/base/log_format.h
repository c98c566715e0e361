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

/// All that one line says.
struct LogRecord {
  LogSeverity severity = LogSeverity::Info;
  int verbosity = 0;             // of Info
  const Error* error = nullptr;  // of Error, where there is one
  Instant time;
  std::int64_t process = 0;
  std::string_view file;  // as the compiler names it
  int line = 0;
  std::string_view message;
  std::span<const LogField> fields;
};

/// One line, with its end, in klog's form; the time is UTC:
/// `I1115 06:49:09.123456     123 cycle.cc:42] "Bound" pod="default/web" attempts=2`
std::string FormatLogText(const LogRecord& record);

/// The same as Kubernetes' components write with --logging-format=json:
/// `{"ts":1700030949123.456,"caller":"scheduler/cycle.cc:42","msg":"Bound","v":0,"pod":{…}}`
std::string FormatLogJson(const LogRecord& record);

}  // namespace plimsoll
