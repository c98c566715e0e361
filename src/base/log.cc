#include "base/log.h"

#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

namespace plimsoll {

void StderrSink::Write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void MemorySink::Write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  text_ += text;
}

std::string MemorySink::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

Result<LogFormat> ParseLogFormat(std::string_view text) {
  if (text == "text") return LogFormat::Text;
  if (text == "json") return LogFormat::Json;
  return FailAt(Reason::Invalid, "logging-format",
                "want \"text\" or \"json\", got \"" + std::string(text) + '"');
}

Result<std::vector<ModuleVerbosity>> ParseModuleVerbosity(std::string_view text) {
  constexpr std::string_view kWanted = "syntax error: expect comma-separated list of filename=N";
  std::vector<ModuleVerbosity> modules;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    if (item.empty()) continue;  // a trailing comma
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      return FailAt(Reason::Invalid, "vmodule", std::string(kWanted));
    }
    ModuleVerbosity module{std::string(item.substr(0, equals)), 0};
    const char* const end = item.data() + item.size();
    const auto [stop, error] = std::from_chars(item.data() + equals + 1, end, module.verbosity);
    if (error != std::errc{} || stop != end) {
      return FailAt(Reason::Invalid, "vmodule", std::string(kWanted));
    }
    if (module.verbosity < 0) {
      return FailAt(Reason::Invalid, "vmodule", "negative value for vmodule level");
    }
    modules.push_back(std::move(module));
  }
  return modules;
}

Logger::Logger(const Clock& clock, LogSink& sink, LogOptions options)
    : clock_(clock),
      sink_(sink),
      format_(options.format),
      process_(options.process != 0 ? options.process : ::getpid()),
      modules_(std::move(options.modules)),
      verbosity_(options.verbosity) {}

void Logger::Write(const LogKind& kind, std::string_view file, int line, std::string_view message,
                   std::span<const LogField> fields) {
  const LogRecord record{
      .severity = kind.severity,
      .verbosity = kind.verbosity,
      .error = kind.error,
      .time = clock_.Now(),
      .process = process_,
      .file = file,
      .line = line,
      .message = message,
      .fields = fields,
  };
  sink_.Write(format_ == LogFormat::Text ? FormatLogText(record) : FormatLogJson(record));
}

bool Logger::EnabledByModule(int verbosity, std::string_view file) const {
  const std::string path(file.substr(0, file.rfind('.')));
  for (const auto& [pattern, module_verbosity] : modules_) {
    // A pattern with one slash is compared with the last two parts of the path. The start of the
    // path depends on the build folder.
    std::size_t from = path.size();
    for (auto parts = 1 + std::ranges::count(pattern, '/'); parts > 0 && from > 0; --parts) {
      const std::size_t slash = path.rfind('/', from - 1);
      from = slash == std::string::npos ? 0 : slash;
    }
    const char* const tail = path.c_str() + (path[from] == '/' ? from + 1 : from);
    if (::fnmatch(pattern.c_str(), tail, FNM_PATHNAME) == 0) return verbosity <= module_verbosity;
  }
  return false;
}

}  // namespace plimsoll
