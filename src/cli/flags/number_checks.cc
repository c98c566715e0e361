#include "cli/flags/number_checks.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <string_view>

namespace plimsoll::cli {
namespace {

/// Returns `want a number from 0 to 65535, got 99999`. A text that is no number is quoted.
std::string Refusal(std::string_view wanted, const std::string& text) {
  double number = 0;
  const bool is_number = !text.empty() && CLI::detail::lexical_cast(text, number);
  const std::string got = is_number ? text : '"' + text + '"';
  return "want " + std::string(wanted) + ", got " + got;
}

/// `name` is the type name in CLI11's help.
template <class Holds>
void Want(CLI::Option* option, const char* wanted, const char* name, Holds holds) {
  option->check(
      [wanted, holds](const std::string& text) {
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && holds(number)) return std::string();
        return Refusal(wanted, text);
      },
      name);
}

}  // namespace

void RequireInteger(CLI::Option* option, std::int64_t min, std::int64_t max) {
  option->check(
      [min, max](const std::string& text) {
        std::int64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        const bool is_good = error == std::errc() && stop == end && number >= min && number <= max;
        if (is_good) return std::string();
        const bool is_part = text.find('.') != std::string::npos;
        return Refusal((is_part ? "a whole number from " : "a number from ") + std::to_string(min) +
                           " to " + std::to_string(max),
                       text);
      },
      "INTEGER");
}

void RequireNotNegative(CLI::Option* option) {
  Want(option, "a number from 0 on", "NONNEGATIVE", [](double number) { return number >= 0; });
}

void RequirePositive(CLI::Option* option) {
  Want(option, "a number above 0", "POSITIVE", [](double number) { return number > 0; });
}

}  // namespace plimsoll::cli
