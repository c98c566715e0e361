#include "cli/manual/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/file.h"
#include "cli/manual/command_examples.h"
#include "cli/version/version.h"

namespace plimsoll::cli {
namespace {

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string PageName(std::string_view path) { return Replaced(std::string(path), " ", "-"); }

std::string FlagText(const FlagDoc& flag) {
  std::string text = flag.text;
  if (flag.is_repeated && flag.names.starts_with("-")) text += ". May be repeated";
  if (flag.is_required) text += " (required)";
  return text;
}

/// Escapes text so that roff does not interpret it.
std::string Roff(std::string_view text) {
  std::string out = Replaced(std::string(text), "\\", "\\e");
  out = Replaced(std::move(out), "-", "\\-");
  out = Replaced(std::move(out), "'", "\\(aq");
  out = Replaced(std::move(out), "…", "\\&...");
  if (out.starts_with('.')) out.insert(0, "\\&");
  return Replaced(std::move(out), "\n.", "\n\\&.");
}

void AddRoffFlags(std::string_view heading, const std::vector<FlagDoc>& flags, std::string& out) {
  if (flags.empty()) return;
  out += fmt::format(".SH {}\n", heading);
  for (const FlagDoc& flag : flags) {
    const bool has_value = !flag.value.empty() && flag.value != flag.names;
    out += fmt::format(".TP\n\\fB{}\\fR", Roff(flag.names));
    if (has_value) out += fmt::format(" \\fI{}\\fR", Roff(flag.value));
    out += fmt::format("\n{}", Roff(FlagText(flag)));
    if (!flag.default_value.empty()) out += fmt::format(" [{}]", Roff(flag.default_value));
    out += '\n';
  }
}

void AddRoffExamples(const std::vector<Example>& examples, std::string& out) {
  if (examples.empty()) return;
  out += ".SH EXAMPLES\n";
  for (const Example& example : examples) {
    out += fmt::format(".TP\n{}\n\\fB{}\\fR\n", Roff(example.meaning), Roff(example.line));
  }
}

void AddRoffSeeAlso(const CommandDoc& command, std::string& out) {
  std::vector<std::string> pages;
  if (const std::size_t end = command.path.rfind(' '); end != std::string::npos) {
    pages.push_back(command.path.substr(0, end));
  }
  pages.insert(pages.end(), command.commands.begin(), command.commands.end());
  std::ranges::sort(pages);
  out += ".SH SEE ALSO\n";
  for (const std::string& page : pages) {
    out += fmt::format(".BR {} (1){}\n", Roff(PageName(page)), page == pages.back() ? "" : ",");
  }
  const CommandExamples& found = ExamplesOf(command.path);
  if (!found.page.empty()) {
    out += fmt::format(".PP\n/usr/share/doc/plimsoll/{}\n", Roff(found.page));
  }
}

void AddMarkdownFlags(const std::vector<FlagDoc>& flags, std::string& out) {
  if (flags.empty()) return;
  const auto cell = [](std::string_view text) { return Replaced(std::string(text), "|", "\\|"); };
  const bool are_arguments = !flags.front().names.starts_with("-");
  out += fmt::format("\n| {} | value | meaning | default |\n| --- | --- | --- | --- |\n",
                     are_arguments ? "argument" : "flag");
  for (const FlagDoc& flag : flags) {
    const bool is_argument = !flag.names.starts_with("-");
    out += fmt::format(
        "| {} | {} | {} | {} |\n", is_argument ? cell(flag.names) : fmt::format("`{}`", flag.names),
        is_argument || flag.value.empty() ? "" : fmt::format("`{}`", cell(flag.value)),
        cell(FlagText(flag)),
        flag.default_value.empty() ? "" : fmt::format("`{}`", cell(flag.default_value)));
  }
}

std::string Section(const CommandDoc& command) {
  const CommandExamples& found = ExamplesOf(command.path);
  std::string out = fmt::format("\n## {}\n\n{}.", command.path, command.purpose);
  if (!found.page.empty()) out += fmt::format(" More in [{0}]({0}).", found.page);
  out += fmt::format("\n\n    {}\n", UsageLine(command));
  if (!found.examples.empty()) out += '\n';
  for (const Example& example : found.examples) {
    out += fmt::format("- {}: `{}`\n", example.meaning, example.line);
  }
  AddMarkdownFlags(command.arguments, out);
  AddMarkdownFlags(command.flags, out);
  return out;
}

}  // namespace

std::string ManPage(const CommandDoc& command) {
  const std::string name = PageName(command.path);
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string purpose = Replaced(command.purpose, "\n", " ");
  std::string out =
      fmt::format(".TH {} 1 \"\" \"Plimsoll {}\" \"Plimsoll\"\n", Roff(title), kVersion);
  out += fmt::format(".SH NAME\n{} \\- {}\n", Roff(name), Roff(purpose));
  out += fmt::format(".SH SYNOPSIS\n.nf\n{}\n.fi\n", Roff(UsageLine(command)));
  AddRoffFlags("ARGUMENTS", command.arguments, out);
  AddRoffFlags("OPTIONS", command.flags, out);
  AddRoffExamples(ExamplesFor(command.path, command.commands), out);
  out +=
      ".SH EXIT STATUS\n.TP\n0\nThe command succeeded and found nothing wrong.\n.TP\n1\nThe "
      "command "
      "found something wrong, or it failed: it could not read a file or reach the server.\n.TP\n2\n"
      "Flags, arguments or the content of an input file are invalid.\n";
  AddRoffSeeAlso(command, out);
  return out;
}

std::string CommandsMarkdown(const std::vector<CommandDoc>& commands) {
  std::string out =
      "# Commands\n\n"
      "The program writes this page from its own definitions: `plimsoll __manual markdown`. The "
      "package\ninstalls the same texts as manual pages, such as `man plimsoll-check`. If a flag "
      "that takes one value is\ngiven several times, the last one wins.\n\n"
      "| exit code | meaning |\n| --- | --- |\n"
      "| 0 | the command succeeded and found nothing wrong |\n"
      "| 1 | the command found something wrong, or it failed: it could not read a file or reach "
      "the "
      "server |\n"
      "| 2 | flags, arguments or the content of an input file are invalid |\n";
  std::string group;
  for (const CommandDoc& command : commands) {
    if (!command.group.empty() && command.group != group) {
      group = command.group;
      out += fmt::format("\n{}:\n\n| command | purpose |\n| --- | --- |\n", group);
    }
    if (!command.runs) continue;
    out += fmt::format("| [`{}`](#{}) | {} |\n", command.path, PageName(command.path),
                       command.purpose);
  }
  for (const CommandDoc& command : commands) {
    if (command.runs) out += Section(command);
  }
  out += "\n## Flags of every command\n";
  AddMarkdownFlags(commands.front().flags, out);
  return out;
}

Status WriteManPages(const std::vector<CommandDoc>& commands, const std::string& directory) {
  for (const CommandDoc& command : commands) {
    PL_TRY(WriteFile(directory + "/" + PageName(command.path) + ".1", ManPage(command), 0644));
  }
  return {};
}

}  // namespace plimsoll::cli
