#include "cli/completion/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "cli/flags/command_tree.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kBash =
    R"bash(# bash completion for plimsoll. Load it with:  source <(plimsoll completion bash)
_plimsoll() {
  local candidates current="${COMP_WORDS[COMP_CWORD]}"
  [[ $current == = ]] && current=
  candidates=$(plimsoll __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _plimsoll plimsoll
)bash";

constexpr std::string_view kZsh =
    R"zsh(#compdef plimsoll
# zsh completion for plimsoll. Load it with:  source <(plimsoll completion zsh)
_plimsoll() {
  local -a candidates
  candidates=(${(f)"$(plimsoll __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( ${#candidates} )); then
    compadd -- $candidates
  else
    _files
  fi
}
compdef _plimsoll plimsoll
)zsh";

/// Returns the values of a flag that accepts a fixed set. CLI11 exposes such sets only in the
/// flag's type name: `TEXT:{json,text}`.
std::vector<std::string> ValuesOf(const CLI::Option& flag) {
  const std::string type = flag.get_type_name();
  const std::size_t begin = type.rfind('{');
  const std::size_t end = type.rfind('}');
  std::vector<std::string> values;
  if (begin == std::string::npos || end == std::string::npos || end < begin) return values;
  std::istringstream set(type.substr(begin + 1, end - begin - 1));
  for (std::string value; std::getline(set, value, ',');) values.push_back(value);
  return values;
}

const CLI::Option* FindFlag(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* option : app.get_options()) {
    if (word.starts_with("-") && option->check_name(word)) return option;
  }
  return nullptr;
}

std::vector<std::string> StartingWith(std::vector<std::string> words, std::string_view prefix) {
  std::erase_if(words, [&](const std::string& word) { return !word.starts_with(prefix); });
  std::ranges::sort(words);
  return words;
}

}  // namespace

Result<std::string> CompletionScript(std::string_view shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  return Fail(Reason::Invalid,
              "unsupported shell \"" + std::string(shell) + "\": want bash or zsh");
}

std::vector<std::string> Complete(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  const CLI::Option* awaiting = nullptr;  // flag whose value comes next
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "=") continue;  // bash splits --flag=value into three words
    const CLI::Option* flag = FindFlag(*command, words[i]);
    if (flag == nullptr) flag = FindFlag(app, words[i]);
    if (awaiting != nullptr) {
      awaiting = nullptr;
    } else if (flag != nullptr) {
      awaiting = flag->get_expected_min() > 0 ? flag : nullptr;
    } else if (const CLI::App* found = FindCommand(*command, words[i])) {
      command = found;
    }
  }
  const std::string last = words.empty() || words.back() == "=" ? "" : words.back();
  if (awaiting != nullptr) return StartingWith(ValuesOf(*awaiting), last);
  if (last.starts_with("-")) return StartingWith(FlagNames(*command), last);
  if (command->get_name() == "help") return StartingWith(CommandNames(app), last);
  if (command->get_name() == "completion") return StartingWith({"bash", "zsh"}, last);
  return StartingWith(CommandNames(*command), last);
}

}  // namespace plimsoll::cli
