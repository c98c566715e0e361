#include "cli/flags/number_checks.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

namespace plimsoll::cli {
namespace {

/// `name` is the type name in CLI11's help.
template <class Holds>
void Want(CLI::Option* option, const char* wanted, const char* name, Holds holds) {
  option->check(
      [wanted, holds](const std::string& text) {
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && holds(number)) return std::string();
        return "want " + std::string(wanted) + ", not \"" + text + "\"";
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
        return is_good ? std::string()
                       : "want a whole number from " + std::to_string(min) + " to " +
                             std::to_string(max) + ", not \"" + text + "\"";
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
