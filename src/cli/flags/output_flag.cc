#include "cli/flags/output_flag.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>

#include "cli/flags/choice.h"

namespace plimsoll::cli {
namespace {

struct FormatName {
  OutputFormat format;
  std::string_view name;
};

constexpr std::array kNames{
    FormatName{OutputFormat::Text, "text"}, FormatName{OutputFormat::Wide, "wide"},
    FormatName{OutputFormat::Json, "json"}, FormatName{OutputFormat::Yaml, "yaml"},
    FormatName{OutputFormat::Name, "name"},
};

OutputFormat FormatOf(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &FormatName::name);
  return found != kNames.end() ? found->format : OutputFormat::Text;
}

}  // namespace

std::string_view ToText(OutputFormat format) {
  return std::ranges::find(kNames, format, &FormatName::format)->name;
}

void AddOutputFlag(CLI::App& command, OutputFormat& format,
                   const std::vector<OutputFormat>& formats) {
  CLI::Option* const option = command.add_option_function<std::string>(
      "-o,--output", [&format](const std::string& name) { format = FormatOf(name); },
      "Output format");
  option->default_str(std::string(ToText(format)));
  std::vector<std::string> names;
  for (const OutputFormat one : formats) names.emplace_back(ToText(one));
  const bool has_text = std::ranges::find(formats, OutputFormat::Text) != formats.end();
  RequireOneOf(option, names,
               has_text ? std::vector<std::string>{"table"} : std::vector<std::string>());
}

}  // namespace plimsoll::cli
