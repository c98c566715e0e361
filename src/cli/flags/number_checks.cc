#include "cli/flags/number_checks.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <string_view>

namespace plimsoll::cli {
namespace {

template <class Holds>
void Want(CLI::Option* option, const std::string& wanted, Holds holds) {
  option->check(
      [wanted, holds](const std::string& text) {
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && holds(number)) return std::string();
        return "want " + wanted + ", not \"" + text + "\"";
      },
      "NUMBER");  // the type name in CLI11's help
}

}  // namespace

void RequireInteger(CLI::Option* option, std::int64_t min, std::int64_t max) {
  option->check(
      [min, max](const std::string& text) {
        std::int64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        // CLI11 reads a number with a leading zero as octal.
        const bool is_octal = text.size() > 1 && text.starts_with('0');
        const bool is_good =
            error == std::errc() && stop == end && !is_octal && number >= min && number <= max;
        return is_good ? std::string()
                       : "want a whole number from " + std::to_string(min) + " to " +
                             std::to_string(max) + ", not \"" + text + "\"";
      },
      "INTEGER");
}

void RequireNotNegative(CLI::Option* option, std::int64_t max) {
  const auto end = static_cast<double>(max);
  Want(option, "a number from 0 to " + std::to_string(max),
       [end](double number) { return number >= 0 && number <= end; });
}

void RequirePositive(CLI::Option* option, std::int64_t max) {
  const auto end = static_cast<double>(max);
  Want(option, "a number above 0 and at most " + std::to_string(max),
       [end](double number) { return number > 0 && number <= end; });
}

}  // namespace plimsoll::cli
