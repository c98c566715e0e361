#include "base/log_format.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <variant>

#include "base/go_text.h"
#include "fmt/format.h"

namespace plimsoll {
namespace {

using std::chrono::floor;

/// Returns the last parts of a path: `scheduler/cycle.cc` for two, `cycle.cc` for one.
std::string_view LastParts(std::string_view path, int parts) {
  std::size_t from = path.size();
  for (; parts > 0 && from != 0; --parts) {
    const std::size_t slash = path.rfind('/', from - 1);
    if (slash == std::string_view::npos) return path;
    from = slash;
  }
  return path.substr(from + 1);
}

std::string ObjectText(const ObjectName& object) {
  if (object.space.empty()) return std::string(object.name);
  return fmt::format("{}/{}", object.space, object.name);
}

/// Formats with the fewest digits that are exact. NaN and infinity become JSON strings.
std::string JsonNumber(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"+Inf\"" : "\"-Inf\"";
  const double magnitude = std::abs(value);
  const bool is_plain = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e21);
  char digits[64];
  const auto format = is_plain ? std::chars_format::fixed : std::chars_format::scientific;
  return {digits, std::to_chars(std::begin(digits), std::end(digits), value, format).ptr};
}

void AppendJsonList(std::string& out, std::span<const std::string> values) {
  out += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    out += GoJsonQuote(values[i]);
  }
  out += ']';
}

/// Appends a text of several lines unquoted and indented, between =< and >.
void AppendTextValue(std::string& out, std::string_view text) {
  if (!text.contains('\n')) {
    out += '=';
    out += GoQuote(text);
    return;
  }
  out += "=<\n";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += '\t';
    out += text.substr(0, end);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out += " >";
}

void AppendTextField(std::string& out, const LogField& field) {
  out += ' ';
  out += field.key;
  std::visit(
      [&out](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::string_view>) {
          AppendTextValue(out, value);
        } else if constexpr (std::is_same_v<T, ObjectName>) {
          AppendTextValue(out, ObjectText(value));
        } else if constexpr (std::is_same_v<T, Duration>) {
          AppendTextValue(out, FormatDuration(value));
        } else if constexpr (std::is_same_v<T, Instant>) {
          AppendTextValue(out, FormatMicroTime(value));
        } else if constexpr (std::is_same_v<T, double>) {
          out += '=' + JsonNumber(value);
        } else if constexpr (std::is_same_v<T, std::span<const std::string>>) {
          out += '=';
          AppendJsonList(out, value);
        } else {
          fmt::format_to(std::back_inserter(out), "={}", value);
        }
      },
      field.value.any());
}

/// Returns milliseconds since 1970, with finer digits after the point.
std::string Milliseconds(Instant time) {
  return JsonNumber(static_cast<double>(time.time_since_epoch().count()) / 1e6);
}

void AppendJsonObject(std::string& out, const ObjectName& object) {
  out += "{\"name\":";
  out += GoJsonQuote(object.name);
  if (!object.space.empty()) {
    out += ",\"namespace\":";
    out += GoJsonQuote(object.space);
  }
  out += '}';
}

void AppendJsonField(std::string& out, const LogField& field) {
  out += ',';
  out += GoJsonQuote(field.key);
  out += ':';
  std::visit(
      [&out](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::string_view>) {
          out += GoJsonQuote(value);
        } else if constexpr (std::is_same_v<T, ObjectName>) {
          AppendJsonObject(out, value);
        } else if constexpr (std::is_same_v<T, Duration>) {
          out += GoJsonQuote(FormatDuration(value));
        } else if constexpr (std::is_same_v<T, Instant>) {
          out += Milliseconds(value);
        } else if constexpr (std::is_same_v<T, double>) {
          out += JsonNumber(value);
        } else if constexpr (std::is_same_v<T, std::span<const std::string>>) {
          AppendJsonList(out, value);
        } else {
          fmt::format_to(std::back_inserter(out), "{}", value);
        }
      },
      field.value.any());
}

char SeverityLetter(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::Info:
      return 'I';
    case LogSeverity::Warning:
      return 'W';
    case LogSeverity::Error:
      return 'E';
  }
  return '?';
}

}  // namespace

std::string FormatLogText(const LogRecord& record) {
  const std::chrono::sys_time<Duration> time(record.time.time_since_epoch());
  const auto midnight = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::microseconds>(time - midnight));
  std::string out = fmt::format(
      "{}{:02}{:02} {:02}:{:02}:{:02}.{:06} {:7} {}:{}] {}", SeverityLetter(record.severity),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
      clock.minutes().count(), clock.seconds().count(), clock.subseconds().count(), record.process,
      LastParts(record.file, 1), record.line, GoQuote(record.message));
  if (record.error != nullptr) AppendTextField(out, {"err", record.error->Text()});
  for (const LogField& field : record.fields) AppendTextField(out, field);
  out += '\n';
  return out;
}

std::string FormatLogJson(const LogRecord& record) {
  std::string out = "{\"ts\":" + Milliseconds(record.time) + ",\"caller\":";
  out += GoJsonQuote(fmt::format("{}:{}", LastParts(record.file, 2), record.line));
  out += ",\"msg\":";
  out += GoJsonQuote(record.message);
  // An error is always written, so it has no verbosity. The error text comes last, as in zap.
  if (record.severity != LogSeverity::Error) {
    AppendJsonField(out, {"v", record.verbosity});
  }
  for (const LogField& field : record.fields) AppendJsonField(out, field);
  if (record.error != nullptr) AppendJsonField(out, {"err", record.error->Text()});
  out += "}\n";
  return out;
}

}  // namespace plimsoll
