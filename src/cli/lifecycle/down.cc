#include "cli/lifecycle/down.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>

#include "base/real_clock.h"
#include "cli/flags/duration_flag.h"
#include "cli/lifecycle/kubeconfig_merge.h"
#include "cli/lifecycle/run_record.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/progress.h"
#include "cli/output/styled_text.h"
#include "cli/output/tree_output.h"
#include "service/data_directory.h"
#include "service/data_directory_removal.h"
#include "service/stop_process.h"

namespace plimsoll::cli {
namespace {

using service::DataDirectory;

/// Result of a call.
struct DownFacts {
  std::string directory;
  std::optional<int> stopped;  // process; unset: none ran
  double seconds = 0;          // until its end
  std::string unmerged;        // kubeconfig from which entries were removed; empty: none
  bool is_deleted = false;     // the directory
};

class Down {
 public:
  Down(const DownOptions& options, Context& context) : options_(options), context_(context) {}

  Status Run() {
    const Duration limit = PL_TRY(ParseDurationFlag("--timeout", options_.timeout));
    facts_.directory = AbsoluteDirectory(options_.data_directory);
    PL_TRY(StopOwner(limit));
    if (facts_.stopped && !options_.purges) {
      Say(fmt::format("The data stays in {}.\n", facts_.directory));
    }
    PL_TRY(RemoveMerged());
    if (options_.purges) PL_TRY(Purge());
    if (!IsTree(options_.output)) return {};
    codec::Document document;
    WriteTree(Tree(document), options_.output, context_.out);
    return {};
  }

 private:
  /// Prints a text for people at once.
  void Say(const std::string& text) {
    if (IsTree(options_.output)) return;
    Write(StyledText(text), context_.out_look, context_.out);
    context_.out << std::flush;
  }

  Status StopOwner(Duration limit) {
    const std::string& directory = facts_.directory;
    const std::optional<int> owner = PL_TRY(DataDirectory::FindOwner(directory));
    if (!owner) {
      Say(fmt::format("Plimsoll is not running in {}.\n", directory));
      return {};
    }
    if (*owner == 0) {
      return Fail(Reason::InternalError,
                  directory +
                      " is in use by a process that cannot be seen from here, such as one of "
                      "another container: stop it there");
    }
    Say(fmt::format("Stopping process {}. Requests in flight may finish first.\n", *owner));
    const Duration began = SteadyTime();
    const auto is_owner = [&] {
      return DataDirectory::FindOwner(directory).value_or(std::nullopt) == owner;
    };
    {
      Progress progress(fmt::format("Stopping process {}", *owner), context_);
      PL_TRY(service::StopProcess(*owner, is_owner, limit, [&] {
        const auto waited = std::chrono::duration_cast<std::chrono::seconds>(SteadyTime() - began);
        progress.Note(fmt::format("{} of {}", FormatDuration(waited), FormatDuration(limit)));
      }));
    }
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(SteadyTime() - began);
    facts_.stopped = owner;
    facts_.seconds = static_cast<double>(took.count()) / 1e3;
    Say(fmt::format("Stopped after {:.1f} s.\n", facts_.seconds));
    return {};
  }

  /// Removes the entries that a run merged, also if that run was killed.
  Status RemoveMerged() {
    Result<RunRecord> record = ReadRunRecord(facts_.directory);
    if (!record || record->merged_kubeconfig.empty()) return {};
    const std::string path = std::exchange(record->merged_kubeconfig, "");
    if (PL_TRY(RemoveKubeconfigEntries(path, {record->cluster, facts_.directory}))) {
      facts_.unmerged = path;
      Say(fmt::format("Removed the cluster, user and context {} from {}.\n", record->cluster,
                      path));
    } else {
      Say(fmt::format("Left {} alone: it has no entries of this cluster.\n", path));
    }
    return WriteRunRecord(facts_.directory, *record);
  }

  Status Purge() {
    std::error_code ignored;
    facts_.is_deleted = std::filesystem::exists(facts_.directory, ignored);
    PL_TRY(service::RemoveDataDirectory(facts_.directory));
    Say((facts_.is_deleted ? "Deleted " : "There is no ") + facts_.directory + ".\n");
    return {};
  }

  codec::Value Tree(codec::Document& document) const {
    codec::Value tree = document.NewObject();
    SetText(document, tree, "dataDirectory", facts_.directory);
    document.Set(tree, "wasRunning", codec::Value::Bool(facts_.stopped.has_value()));
    if (facts_.stopped) {
      document.Set(tree, "pid", codec::Value::Int(*facts_.stopped));
      document.Set(tree, "seconds",
                   codec::Value::Number(document.CopyText(fmt::format("{:.1f}", facts_.seconds))));
    }
    SetText(document, tree, "unmergedKubeconfig", facts_.unmerged);
    document.Set(tree, "deleted", codec::Value::Bool(facts_.is_deleted));
    return tree;
  }

  const DownOptions& options_;
  Context& context_;
  DownFacts facts_;
};

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
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
}

int RunDown(const DownOptions& options, Context& context) {
  const Status status = Down(options, context).Run();
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
