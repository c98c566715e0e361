#include "cli/flags/usage_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <ostream>

#include "base/suggest.h"
#include "cli/context.h"
#include "cli/flags/command_tree.h"

namespace plimsoll::cli {
namespace {

void Suggest(std::string_view argument, const std::vector<std::string>& known, std::ostream& out) {
  if (const auto nearest = Nearest(argument, known)) out << "Did you mean " << *nearest << "?\n";
}

/// Replaces the flag's name by the form that the user typed. CLI11 prints the flag's first name.
std::string AsTyped(std::string message, const CLI::App& command,
                    const std::vector<std::string>& arguments) {
  const auto is_typed = [&](const std::string& flag) {
    return std::ranges::any_of(arguments, [&](const std::string& argument) {
      return argument == flag || argument.starts_with(flag + "=");
    });
  };
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* const option : app->get_options()) {
      const std::string first = option->get_name();
      if (!message.starts_with(first + ":") || is_typed(first)) continue;
      std::vector<std::string> names;
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
      const auto typed = std::ranges::find_if(names, is_typed);
      if (typed != names.end()) return *typed + message.substr(first.size());
    }
  }
  return message;
}

}  // namespace

std::vector<std::string> CommandPath(const CLI::App& app,
                                     const std::vector<std::string>& arguments) {
  std::vector<std::string> path;
  const CLI::App* command = &app;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-")) continue;
    command = FindCommand(*command, argument);
    if (command == nullptr) break;
    path.push_back(argument);
  }
  return path;
}

int PrintUsageError(const CLI::App& app, const std::vector<std::string>& arguments,
                    const CLI::ParseError& error, std::ostream& err) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  for (const std::string& part : CommandPath(app, arguments)) {
    command = FindCommand(*command, part);
    name += ' ' + part;
  }
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) {
    err << "error: " << AsTyped(error.what(), *command, arguments) << '\n';
  } else if (unknown.front().starts_with("-")) {
    const std::string flag = unknown.front().substr(0, unknown.front().find('='));
    err << "error: unknown flag: " << flag << '\n';
    std::vector<std::string> known = FlagNames(*command);
    std::ranges::copy(FlagNames(app), std::back_inserter(known));
    Suggest(flag, known, err);
  } else if (const std::vector<std::string> names = CommandNames(*command); !names.empty()) {
    err << "error: unknown command \"" << unknown.front() << "\" for \"" << name << "\"\n";
    Suggest(unknown.front(), names, err);
  } else {
    err << "error: unexpected argument \"" << unknown.front() << "\"\n";
  }
  err << "Run '" << name << " --help' for usage.\n";
  return kExitUsage;
}

}  // namespace plimsoll::cli
