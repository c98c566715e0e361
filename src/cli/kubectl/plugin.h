#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/completion/completion.h"

/// kubectl finds plugins by the names of programs on PATH: `kubectl plimsoll` runs
/// `kubectl-plimsoll`, and its shell completion runs `kubectl_complete-plimsoll`. Both are links to
/// the program.
namespace plimsoll::cli {

/// How the program was called.
enum class CalledAs : std::uint8_t { Program, KubectlPlugin, KubectlCompletion };

/// Decides by the file name in `argv[0]`.
CalledAs CalledAsOf(std::string_view argv0);

/// Returns the name for usage lines: `plimsoll`, or `kubectl plimsoll`.
std::string_view ProgramName(CalledAs called_as);

/// Returns the candidates as kubectl reads them: one per line, then a directive, which
/// may let the shell complete file names.
std::string KubectlCandidates(const Candidates& candidates);

}  // namespace plimsoll::cli
