#include "cli/flags/logging_flags.h"

#include <CLI/CLI.hpp>
#include <ostream>
#include <utility>

#include "cli/flags/choice.h"
#include "cli/flags/number_checks.h"

namespace plimsoll::cli {
namespace {

constexpr std::int64_t kVerbosityMax = 100;

}  // namespace

void AddLoggingFlags(CLI::App& app, LoggingFlags& flags) {
  RequireInteger(app.add_option("-v,--v", flags.verbosity,
                                "Verbosity of the log: 0 logs the least, 4 is for debugging")
                     ->type_name("INT"),
                 0, kVerbosityMax);
  app.add_option("--vmodule", flags.modules,
                 "Verbosity by source file, separated by commas: scheduler=4,watch*=2")
      ->type_name("FILE=N,...");
  app.add_option("--log-file", flags.file, "Append the log to this file instead of standard error")
      ->type_name("FILE");
  RequireOneOf(app.add_option("--logging-format", flags.format, "Format of the log"),
               {"text", "json"});
}

Result<std::unique_ptr<CommandLog>> CommandLog::Open(const LoggingFlags& flags, std::ostream& err) {
  LogOptions options;
  options.format = PL_TRY(ParseLogFormat(flags.format));
  options.verbosity = flags.verbosity;
  options.modules = PL_TRY(ParseModuleVerbosity(flags.modules));
  std::unique_ptr<CommandLog> log(new CommandLog(err));
  if (!flags.file.empty()) {
    const Status opened = log->file_.Open(flags.file);
    if (!opened) return Fail(Reason::Invalid, "--log-file: " + opened.error().Text());
  }
  log->log_.emplace(log->clock_, log->file_, std::move(options));
  return log;
}

}  // namespace plimsoll::cli
