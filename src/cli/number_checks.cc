#include "cli/number_checks.h"

#include <string>

namespace plimsoll::cli {
namespace {

/// `name` as CLI11 shows it in its own help.
template <class Holds>
CLI::Validator NumberCheck(const char* wanted, const char* name, Holds holds) {
  return {[wanted, holds](const std::string& text) {
            double number = 0;
            const bool is_good = CLI::detail::lexical_cast(text, number) && holds(number);
            return is_good ? std::string()
                           : "want " + std::string(wanted) + ", not \"" + text + "\"";
          },
          name};
}

}  // namespace

CLI::Validator NotNegative() {
  return NumberCheck("a number from 0 on", "NONNEGATIVE",
                     [](double number) { return number >= 0; });
}

CLI::Validator Positive() {
  return NumberCheck("a number above 0", "POSITIVE", [](double number) { return number > 0; });
}

}  // namespace plimsoll::cli
