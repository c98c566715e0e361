#include "cli/flags/command_tree.h"

#include <CLI/CLI.hpp>

namespace plimsoll::cli {

CLI::App* AddGrouped(CLI::App& program, const char* group, const std::string& name,
                     const std::string& purpose) {
  CLI::App* const command = program.add_subcommand(name, purpose);
  command->group(group);
  return command;
}

const CLI::App* FindCommand(const CLI::App& app, std::string_view name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> FlagNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string LastValueOf(std::string_view flag, const std::vector<std::string>& arguments) {
  std::string value;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    if (argument == flag && i + 1 < arguments.size()) value = arguments[i + 1];
    if (argument.starts_with(flag) && argument.substr(flag.size()).starts_with("=")) {
      value = argument.substr(flag.size() + 1);
    }
  }
  return value;
}

void ApplyFlagDefaults(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 1) option->take_last();
    if (option->get_default_str() == "[]") option->default_str("");
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    ApplyFlagDefaults(*command);
}

}  // namespace plimsoll::cli
