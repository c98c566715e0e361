#include "cli/store/store_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/progress.h"
#include "cli/output/tree_output.h"
#include "cli/store/server_snapshot.h"
#include "store/transfer.h"

namespace plimsoll::cli {
namespace {

/// Address of a store that is filled, or of one that is read.
constexpr const char* kAddressHelp =
    "rocksdb:DIR with the --data-dir of a stopped API server, or etcd:URL,URL";

codec::Value TransferTree(const store::Transferred& done, codec::Document& document) {
  codec::Value root = document.NewObject();
  SetCount(document, root, "objects", done.records);
  document.Set(root, "revision", codec::Value::Int(store::Number(done.at)));
  document.Set(root, "storeRevision", codec::Value::Int(store::Number(done.reached)));
  return root;
}

int ReportTransfer(const Result<store::Transferred>& done, std::string_view text,
                   OutputFormat format, Context& context) {
  if (!done) return ReportFailure(done.error(), context);
  if (IsTree(format)) {
    codec::Document document;
    WriteTree(TransferTree(*done, document), format, context.out);
  } else {
    context.out << text;
  }
  return kExitOk;
}

int ReportSaved(const Result<store::Transferred>& done, OutputFormat format, Context& context) {
  const std::string text = !done ? ""
                                 : fmt::format("Saved {} objects, as of revision {}\n",
                                               done->records, store::Number(done->at));
  return ReportTransfer(done, text, format, context);
}

int ReportFilled(const Result<store::Transferred>& done, std::string_view verb, OutputFormat format,
                 Context& context) {
  const std::string text =
      !done
          ? ""
          : fmt::format("{} {} objects, as of revision {}; the store is now at revision {}\n", verb,
                        done->records, store::Number(done->at), store::Number(done->reached));
  return ReportTransfer(done, text, format, context);
}

/// Returns a function that shows the progress of a transfer.
store::OnTransfer ShownBy(Progress& progress) {
  return [&progress](std::size_t done, std::size_t total) { progress.Set(done, total); };
}

void AddResultFormat(CLI::App& command, OutputFormat& format) {
  AddOutputFlag(command, format, {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
}

void AddBumpFlag(CLI::App& command, std::int64_t& bump) {
  RequireInteger(
      command
          .add_option(
              "--bump-revision", bump,
              "Raise the revision by this number beyond that of the source. Clients that remember "
              "an older resourceVersion then list again. It must exceed the number of writes since "
              "the copy was taken")
          ->type_name("INT"),
      0, 1'152'921'504'606'846'976);
}

Result<store::Transferred> Migrate(const MigrateOptions& options, Context& context) {
  RealClock clock;
  const auto from =
      PL_TRY(OpenStoreAt(options.from, OpenMode::Existing, options.etcd, clock, context.log));
  const auto to =
      PL_TRY(OpenStoreAt(options.to, OpenMode::CreateIfMissing, options.etcd, clock, context.log));
  Progress progress("Copying objects", context);
  return store::CopyStore(*from, *to, options.bump, ShownBy(progress));
}

Result<store::Transferred> Save(const SnapshotOptions& options, Context& context) {
  RealClock clock;
  if (options.is_server) {
    const auto client = PL_TRY(ConnectForUser(options.kubeconfig, options.kube_context, clock));
    return SaveServerSnapshot(*client, options.file, context);
  }
  if (options.store.empty()) {
    return Fail(Reason::Invalid,
                "nothing to save: give --store for a store that no server uses, or --server for a "
                "running server");
  }
  const auto from =
      PL_TRY(OpenStoreAt(options.store, OpenMode::Existing, options.etcd, clock, context.log));
  Progress progress("Saving objects", context);
  return store::SaveSnapshot(*from, options.file, ShownBy(progress));
}

Result<store::Transferred> Restore(const SnapshotOptions& options, Context& context) {
  RealClock clock;
  const auto to = PL_TRY(
      OpenStoreAt(options.store, OpenMode::CreateIfMissing, options.etcd, clock, context.log));
  Progress progress("Restoring objects", context);
  return store::RestoreSnapshot(options.file, *to, options.bump, ShownBy(progress));
}

}  // namespace

void AddMigrateFlags(CLI::App& command, MigrateOptions& options) {
  command.add_option("--from", options.from, std::string("Store to copy from: ") + kAddressHelp)
      ->required()
      ->type_name("STORE");
  command
      .add_option("--to", options.to,
                  std::string("Store to copy to, which must be empty: ") + kAddressHelp)
      ->required()
      ->type_name("STORE");
  AddEtcdAccessFlags(command, options.etcd);
  AddBumpFlag(command, options.bump);
  AddResultFormat(command, options.output);
}

void AddSnapshotSaveFlags(CLI::App& command, SnapshotOptions& options) {
  command.add_option("file", options.file, "File that the snapshot is written to")
      ->required()
      ->type_name("FILE");
  CLI::Option* const store =
      command.add_option("--store", options.store, std::string("Store to save: ") + kAddressHelp)
          ->type_name("STORE");
  command
      .add_flag(
          "--server", options.is_server,
          "Save the objects of a running Plimsoll API server at one revision. Needs the right "
          "to list all resources. Secrets are saved in plain text")
      ->excludes(store);
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  AddEtcdAccessFlags(command, options.etcd);
  AddResultFormat(command, options.output);
}

void AddSnapshotRestoreFlags(CLI::App& command, SnapshotOptions& options) {
  command.add_option("file", options.file, "File with the snapshot")->required()->type_name("FILE");
  command
      .add_option("--store", options.store,
                  std::string("Store to fill, which must be empty: ") + kAddressHelp)
      ->required()
      ->type_name("STORE");
  AddEtcdAccessFlags(command, options.etcd);
  AddBumpFlag(command, options.bump);
  AddResultFormat(command, options.output);
}

int RunMigrate(const MigrateOptions& options, Context& context) {
  return ReportFilled(Migrate(options, context), "Copied", options.output, context);
}

int RunSnapshotSave(const SnapshotOptions& options, Context& context) {
  return ReportSaved(Save(options, context), options.output, context);
}

int RunSnapshotRestore(const SnapshotOptions& options, Context& context) {
  return ReportFilled(Restore(options, context), "Restored", options.output, context);
}

}  // namespace plimsoll::cli
