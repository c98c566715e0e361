#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/explain/explain.h"
#include "cli/explain/read_cluster.h"

namespace plimsoll::cli {

/// A command `plimsoll explain WORD`.
struct ExplainCommand {
  SubjectKind kind;  // kind.kind is empty for devices, which are no objects
  std::string_view purpose;
  void (*add_flags)(CLI::App& command, const SubjectKind& kind, ExplainOptions& options);
  int (*run)(const SubjectKind& kind, const ExplainOptions& options, Context& context);
};
std::span<const ExplainCommand> ExplainCommands();

/// Rewrites `explain deploy/web` to `explain deployment web`, and `explain po` to `explain pod`:
/// upstream's plural, singular and short names with and without a group. Other arguments stay.
std::vector<std::string> WithExplainedKind(std::vector<std::string> arguments);

}  // namespace plimsoll::cli
