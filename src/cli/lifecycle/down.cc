#include "cli/lifecycle/down.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <ostream>

#include "base/real_clock.h"
#include "cli/flags/duration_flag.h"
#include "cli/lifecycle/kubeconfig_merge.h"
#include "cli/lifecycle/run_record.h"
#include "cli/output/failure.h"
#include "service/data_directory.h"
#include "service/data_directory_removal.h"
#include "service/stop_process.h"

namespace plimsoll::cli {
namespace {

using service::DataDirectory;

/// Returns false if nothing runs.
Result<bool> StopOwner(const std::string& directory, Duration limit, Context& context) {
  const std::optional<int> owner = PL_TRY(DataDirectory::FindOwner(directory));
  if (!owner) {
    context.out << "Plimsoll is not running in " << directory << ".\n";
    return false;
  }
  if (*owner == 0) {
    return Fail(Reason::InternalError,
                directory +
                    " is in use by a process that cannot be seen from here, such as one of "
                    "another container: stop it there");
  }
  context.out << "Stopping process " << *owner << ". Requests in flight may finish first.\n"
              << std::flush;
  const Duration began = SteadyTime();
  const auto is_owner = [&] {
    return DataDirectory::FindOwner(directory).value_or(std::nullopt) == owner;
  };
  PL_TRY(service::StopProcess(*owner, is_owner, limit));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(SteadyTime() - began);
  context.out << fmt::format("Stopped after {:.1f} s.\n", static_cast<double>(took.count()) / 1e3)
              << std::flush;
  return true;
}

/// Removes the entries that a run merged, also if that run was killed.
Status RemoveMerged(const std::string& directory, Context& context) {
  Result<RunRecord> record = ReadRunRecord(directory);
  if (!record || record->merged_kubeconfig.empty()) return {};
  const std::string path = std::exchange(record->merged_kubeconfig, "");
  if (PL_TRY(RemoveKubeconfigEntries(path, {record->cluster, directory}))) {
    context.out << "Removed the cluster, user and context " << record->cluster << " from " << path
                << ".\n";
  } else {
    context.out << "Left " << path << " alone: it has no entries of this cluster.\n";
  }
  return WriteRunRecord(directory, *record);
}

Status Purge(const std::string& directory, Context& context) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(directory, ignored);
  PL_TRY(service::RemoveDataDirectory(directory));
  context.out << (exists ? "Deleted " : "There is no ") << directory << ".\n";
  return {};
}

Status Down(const DownOptions& options, Context& context) {
  const Duration limit = PL_TRY(ParseDurationFlag("--timeout", options.timeout));
  const std::string directory = AbsoluteDirectory(options.data_directory);
  if (PL_TRY(StopOwner(directory, limit, context)) && !options.purges) {
    context.out << "The data stays in " << directory << ".\n";
  }
  PL_TRY(RemoveMerged(directory, context));
  if (options.purges) return Purge(directory, context);
  return {};
}

}  // namespace

void AddDownFlags(CLI::App& command, DownOptions& options) {
  command
      .add_option("--data-dir", options.data_directory,
                  "Data directory of the control plane, as for plimsoll up")
      ->type_name("DIR");
  command.add_flag("--purge", options.purges,
                   "Also delete the data directory, unless it has other files than the server's");
  command.add_option("--timeout", options.timeout, "Time to wait until the process has ended")
      ->type_name("DURATION");
}

int RunDown(const DownOptions& options, Context& context) {
  const Status status = Down(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
