#pragma once

#include <string_view>

/// Completion scripts of the shells. `plimsoll __complete -- WORDS…` prints one candidate per line;
/// the line `:files` means that file names may follow.
namespace plimsoll::cli {

inline constexpr std::string_view kFilesMark = ":files";

inline constexpr std::string_view kBashScript =
    R"bash(# bash completion for plimsoll. Load it with:  source <(plimsoll completion bash)
_plimsoll() {
  local line current="${COMP_WORDS[COMP_CWORD]}"
  [[ $current == = ]] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null
    elif [[ $line == "$current"* ]]; then
      COMPREPLY+=("$line")
    fi
  done < <(plimsoll __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _plimsoll plimsoll
)bash";

inline constexpr std::string_view kZshScript =
    R"zsh(#compdef plimsoll
# zsh completion for plimsoll. Load it with:  source <(plimsoll completion zsh)
_plimsoll() {
  local -a candidates
  candidates=(${(f)"$(plimsoll __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ ${candidates[-1]} == :files ]]; then
    _files
  elif (( ${#candidates} )); then
    compadd -- $candidates
  fi
}
compdef _plimsoll plimsoll
)zsh";

inline constexpr std::string_view kFishScript =
    R"fish(# fish completion for plimsoll. Load it with:  plimsoll completion fish | source
function __plimsoll_candidates
    set -l words (commandline -opc) (commandline -ct)
    for line in (plimsoll __complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c plimsoll -f -a '(__plimsoll_candidates)'
)fish";

}  // namespace plimsoll::cli
