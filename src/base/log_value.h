#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace plimsoll {

/// Name of an API object in a log line: `default/web`, or `node-1` without a namespace.
struct ObjectName {
  std::string_view space;
  std::string_view name;
};

/// Value of a field in a log line. It is a view: the text or list must live until the line is
/// written, as everything in a PL_LOG statement does.
class LogValue {
 public:
  using Any = std::variant<std::string_view, bool, std::int64_t, std::uint64_t, double, Duration,
                           Instant, ObjectName, std::span<const std::string>>;

  // NOLINTBEGIN(google-explicit-constructor): allows {"pod", name} in a log statement.
  LogValue(std::string_view text) : any_(text) {}
  LogValue(const std::string& text) : any_(std::string_view(text)) {}
  LogValue(const char* text) : any_(std::string_view(text)) {}
  LogValue(std::same_as<bool> auto value) : any_(value) {}
  LogValue(std::signed_integral auto value) : any_(static_cast<std::int64_t>(value)) {}
  LogValue(std::unsigned_integral auto value)
    requires(!std::same_as<decltype(value), bool>)
      : any_(static_cast<std::uint64_t>(value)) {}
  LogValue(double value) : any_(value) {}
  template <class Rep, class Period>
  LogValue(std::chrono::duration<Rep, Period> value)
      : any_(std::chrono::duration_cast<Duration>(value)) {}
  LogValue(Instant value) : any_(value) {}
  LogValue(ObjectName value) : any_(value) {}
  LogValue(std::span<const std::string> values) : any_(values) {}
  LogValue(const std::vector<std::string>& values) : any_(std::span<const std::string>(values)) {}
  // NOLINTEND(google-explicit-constructor)

  const Any& any() const { return any_; }

 private:
  Any any_;
};

struct LogField {
  std::string_view key;
  LogValue value;
};

}  // namespace plimsoll
