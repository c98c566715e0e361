#include "net/http1_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace plimsoll::net {
namespace {

struct StatusRow {
  int status;
  std::string_view name;
};

constexpr std::array kStatuses{
    StatusRow{100, "Continue"},
    StatusRow{101, "Switching Protocols"},
    StatusRow{200, "OK"},
    StatusRow{201, "Created"},
    StatusRow{202, "Accepted"},
    StatusRow{204, "No Content"},
    StatusRow{206, "Partial Content"},
    StatusRow{301, "Moved Permanently"},
    StatusRow{302, "Found"},
    StatusRow{303, "See Other"},
    StatusRow{304, "Not Modified"},
    StatusRow{307, "Temporary Redirect"},
    StatusRow{308, "Permanent Redirect"},
    StatusRow{400, "Bad Request"},
    StatusRow{401, "Unauthorized"},
    StatusRow{403, "Forbidden"},
    StatusRow{404, "Not Found"},
    StatusRow{405, "Method Not Allowed"},
    StatusRow{406, "Not Acceptable"},
    StatusRow{408, "Request Timeout"},
    StatusRow{409, "Conflict"},
    StatusRow{410, "Gone"},
    StatusRow{411, "Length Required"},
    StatusRow{412, "Precondition Failed"},
    StatusRow{413, "Request Entity Too Large"},
    StatusRow{414, "Request URI Too Long"},
    StatusRow{415, "Unsupported Media Type"},
    StatusRow{416, "Requested Range Not Satisfiable"},
    StatusRow{417, "Expectation Failed"},
    StatusRow{422, "Unprocessable Entity"},
    StatusRow{429, "Too Many Requests"},
    StatusRow{431, "Request Header Fields Too Large"},
    StatusRow{500, "Internal Server Error"},
    StatusRow{501, "Not Implemented"},
    StatusRow{502, "Bad Gateway"},
    StatusRow{503, "Service Unavailable"},
    StatusRow{504, "Gateway Timeout"},
    StatusRow{505, "HTTP Version Not Supported"},
    StatusRow{507, "Insufficient Storage"},
};

/// Returns the name of a status, such as `Not Found`; empty for unknown ones.
std::string_view StatusName(int status) {
  const auto* const row = std::ranges::lower_bound(kStatuses, status, {}, &StatusRow::status);
  return row != kStatuses.end() && row->status == status ? row->name : std::string_view();
}

void AppendNumber(std::string& out, std::uint64_t number, int base) {
  std::array<char, 20> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
  out.append(digits.data(), end);
}

void AppendSafely(std::string& out, std::string_view value) {
  const std::size_t start = out.size();
  out += value;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(start), out.end(),
      [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
}

}  // namespace

void AppendHead(std::string& out, const ResponseLine& line, const Headers& headers) {
  out += "HTTP/1.1 ";
  AppendNumber(out, static_cast<std::uint64_t>(line.status), 10);
  out += ' ';
  const std::string_view name = StatusName(line.status);
  if (name.empty()) {
    out += "status code ";
    AppendNumber(out, static_cast<std::uint64_t>(line.status), 10);
  } else {
    out += name;
  }
  out += "\r\n";
  for (const auto& [key, value] : headers) {
    AppendSafely(out, key);
    out += ": ";
    AppendSafely(out, value);
    out += "\r\n";
  }
  if (!line.date.empty()) {
    out += "Date: ";
    out += line.date;
    out += "\r\n";
  }
  if (line.framing == Framing::Length) {
    out += "Content-Length: ";
    AppendNumber(out, line.length, 10);
    out += "\r\n";
  } else if (line.framing == Framing::Chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  }
  if (!line.keeps_alive) {
    out += "Connection: close\r\n";
  } else if (line.is_http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
}

void AppendChunk(std::string& out, std::string_view text) {
  if (text.empty()) return;  // an empty chunk would end the body
  AppendNumber(out, text.size(), 16);
  out += "\r\n";
  out += text;
  out += "\r\n";
}

std::string FaultResponse(const HttpFault& fault) {
  // Go puts the detail into the status line, except for an encoding (501): then into the body.
  std::string line = fmt::format("{} {}", fault.status, StatusName(fault.status));
  std::string body = fault.detail;
  if (fault.status != 501) {
    if (!fault.detail.empty()) line += ": " + fault.detail;
    body = line;
  }
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n{}", line,
      body);
}

std::string FormatHttpDate(Instant time) {
  constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto since = time.time_since_epoch();
  const auto days = std::chrono::floor<std::chrono::days>(since);
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  const std::chrono::hh_mm_ss clock{std::chrono::floor<std::chrono::seconds>(since - days)};
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[std::chrono::weekday(std::chrono::sys_days(days)).c_encoding()],
                     static_cast<unsigned>(date.day()),
                     kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

}  // namespace plimsoll::net
