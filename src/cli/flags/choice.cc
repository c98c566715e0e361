#include "cli/flags/choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "base/suggest.h"

namespace plimsoll::cli {

std::string JoinedByOr(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

void RequireOneOf(CLI::Option* option, std::vector<std::string> values,
                  std::vector<std::string> hidden) {
  const std::string shown = fmt::format("{{{}}}", fmt::join(values, ","));
  option->check(
      [values = std::move(values), hidden = std::move(hidden)](const std::string& text) {
        const auto has = [&](const std::vector<std::string>& list) {
          return std::ranges::find(list, text) != list.end();
        };
        if (has(values) || has(hidden)) return std::string();
        std::string message = fmt::format("want {}, not \"{}\"", JoinedByOr(values), text);
        if (const auto nearest = Nearest(text, values)) {
          message += fmt::format("; did you mean {}?", *nearest);
        }
        return message;
      },
      shown);
}

std::vector<std::string> ValuesOf(const CLI::Option& option) {
  // CLI11 keeps the description of a check only as a part of the type name: `TEXT:{json,text}`.
  const std::string type = option.get_type_name();
  const std::size_t begin = type.rfind('{');
  const std::size_t end = type.rfind('}');
  std::vector<std::string> values;
  if (begin == std::string::npos || end == std::string::npos || end < begin) return values;
  std::istringstream set(type.substr(begin + 1, end - begin - 1));
  for (std::string value; std::getline(set, value, ',');) values.push_back(value);
  return values;
}

}  // namespace plimsoll::cli
