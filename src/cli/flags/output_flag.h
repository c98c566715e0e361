#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Format of the output of a command.
enum class OutputFormat : std::uint8_t {
  Text,  // for people
  Wide,  // Text with more columns or rows
  Json,
  Yaml,
  Name,  // one kind/name per line, for other commands
};

/// Returns true for the formats of WriteTree.
constexpr bool IsTree(OutputFormat format) {
  return format == OutputFormat::Json || format == OutputFormat::Yaml;
}

std::string_view ToText(OutputFormat format);

/// Adds `-o, --output` with these formats. If Text is among them, its former name `table` is
/// accepted as well.
void AddOutputFlag(CLI::App& command, OutputFormat& format,
                   const std::vector<OutputFormat>& formats);

}  // namespace plimsoll::cli
