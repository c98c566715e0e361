#include "cli/kubectl/plugin.h"

namespace plimsoll::cli {

CalledAs CalledAsOf(std::string_view argv0) {
  const std::string_view name = argv0.substr(argv0.rfind('/') + 1);
  if (name == "kubectl-plimsoll") return CalledAs::KubectlPlugin;
  if (name == "kubectl_complete-plimsoll") return CalledAs::KubectlCompletion;
  return CalledAs::Program;
}

std::string_view ProgramName(CalledAs called_as) {
  return called_as == CalledAs::Program ? "plimsoll" : "kubectl plimsoll";
}

std::string KubectlCandidates(const Candidates& candidates) {
  // ShellCompDirectiveDefault and ShellCompDirectiveNoFileComp of Go's cobra.
  constexpr std::string_view kFilesToo = ":0\n";
  constexpr std::string_view kNoFiles = ":4\n";
  std::string text;
  for (const std::string& candidate : candidates.words) text += candidate + "\n";
  return text.append(candidates.are_files ? kFilesToo : kNoFiles);
}

}  // namespace plimsoll::cli
