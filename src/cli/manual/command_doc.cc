#include "cli/manual/command_doc.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace plimsoll::cli {
namespace {

std::string Joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

/// Converts CLI11's type names, such as `TEXT:{text,json}`, `INT:INTEGER`, `TEXT`.
std::string ValueName(std::string type) {
  if (const std::size_t set = type.find(":{"); set != std::string::npos) {
    std::string words = type.substr(set + 2, type.size() - set - 3);
    std::ranges::replace(words, ',', '|');
    return words;
  }
  for (const std::string_view check : {":NUMBER", ":INTEGER"}) {
    type = type.substr(0, type.find(check));
  }
  const bool is_number = type == "INT" || type == "UINT" || type == "FLOAT";
  return is_number ? "N" : type;
}

std::string NamesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return Joined(names, ", ");
}

FlagDoc Describe(const CLI::Option& option) {
  FlagDoc doc;
  doc.value = option.get_expected_max() == 0 ? "" : ValueName(option.get_type_name());
  doc.names = option.get_positional() ? doc.value : NamesOf(option);
  doc.text = option.get_description();
  doc.default_value = option.get_default_str();
  if (doc.default_value.starts_with('[') && doc.default_value.ends_with(']')) {
    doc.default_value = doc.default_value.substr(1, doc.default_value.size() - 2);
  }
  doc.is_required = option.get_required();
  doc.is_repeated = option.get_expected_max() > 1;
  return doc;
}

void Describe(const CLI::App& command, const std::string& parent, std::vector<CommandDoc>& out) {
  CommandDoc doc{.path = parent + command.get_name(), .purpose = command.get_description()};
  if (command.get_parent() != nullptr && command.get_parent()->get_parent() == nullptr) {
    doc.group = command.get_group();
  }
  for (const CLI::Option* option : command.get_options()) {
    (option->get_positional() ? doc.arguments : doc.flags).push_back(Describe(*option));
  }
  std::vector<const CLI::App*> below =
      command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
  doc.runs = below.empty() || command.get_require_subcommand_min() == 0;
  for (const CLI::App* one : below) doc.commands.push_back(doc.path + " " + one->get_name());
  const std::string before = doc.path + " ";
  out.push_back(std::move(doc));
  for (const CLI::App* one : below) Describe(*one, before, out);
}

}  // namespace

std::vector<CommandDoc> DescribeCommands(const CLI::App& program) {
  std::vector<CommandDoc> out;
  Describe(program, "", out);
  return out;
}

std::string UsageLine(const CommandDoc& command) {
  std::string line = command.path;
  for (const FlagDoc& flag : command.flags) {
    if (flag.is_required) line += " " + flag.names + " " + flag.value;
  }
  line += " [flags]";
  if (!command.commands.empty()) line += command.runs ? " [COMMAND]" : " COMMAND";
  for (const FlagDoc& argument : command.arguments) {
    const std::string name = argument.names + (argument.is_repeated ? "…" : "");
    line += argument.is_required ? " " + name : " [" + name + "]";
  }
  return line;
}

}  // namespace plimsoll::cli
