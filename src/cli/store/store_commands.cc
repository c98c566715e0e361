#include "cli/store/store_commands.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"
#include "cli/output/failure.h"
#include "cli/store/server_snapshot.h"
#include "store/transfer.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kAddressHelp =
    "rocksdb:DIRECTORY, a server's --data-dir that no server uses now, or etcd:URL,URL";

int ReportSaved(const Result<store::Transferred>& done, Context& context) {
  if (!done) return ReportFailure(done.error(), context);
  context.out << "Saved " << done->records << " objects, as of revision " << store::Number(done->at)
              << '\n';
  return kExitOk;
}

int ReportFilled(const Result<store::Transferred>& done, std::string_view verb, Context& context) {
  if (!done) return ReportFailure(done.error(), context);
  context.out << verb << ' ' << done->records << " objects, as of revision "
              << store::Number(done->at) << "; the store is now at revision "
              << store::Number(done->reached) << '\n';
  return kExitOk;
}

void AddBumpFlag(CLI::App& command, std::int64_t& bump) {
  RequireInteger(
      command.add_option(
          "--bump-revision", bump,
          "How far to raise the revision beyond the source's, so that clients that remember an "
          "older resourceVersion list again. Must exceed the number of writes since the copy was "
          "taken"),
      0, 1'152'921'504'606'846'976);
}

Result<store::Transferred> Migrate(const MigrateOptions& options, Context& context) {
  RealClock clock;
  const auto from =
      PL_TRY(OpenStoreAt(options.from, OpenMode::Existing, options.etcd, clock, context.log));
  const auto to =
      PL_TRY(OpenStoreAt(options.to, OpenMode::CreateIfMissing, options.etcd, clock, context.log));
  return store::CopyStore(*from, *to, options.bump);
}

Result<store::Transferred> Save(const SnapshotOptions& options, Context& context) {
  RealClock clock;
  if (options.is_server) {
    const auto client = PL_TRY(ConnectForUser(options.kubeconfig, clock));
    return SaveServerSnapshot(*client, options.file, context.err);
  }
  if (options.store.empty()) {
    return Fail(Reason::Invalid,
                "say what to save: --store for a store that no server uses, or --server for a "
                "running server");
  }
  const auto from =
      PL_TRY(OpenStoreAt(options.store, OpenMode::Existing, options.etcd, clock, context.log));
  return store::SaveSnapshot(*from, options.file);
}

Result<store::Transferred> Restore(const SnapshotOptions& options, Context& context) {
  RealClock clock;
  const auto to = PL_TRY(
      OpenStoreAt(options.store, OpenMode::CreateIfMissing, options.etcd, clock, context.log));
  return store::RestoreSnapshot(options.file, *to, options.bump);
}

}  // namespace

void AddMigrateFlags(CLI::App& command, MigrateOptions& options) {
  command.add_option("--from", options.from, kAddressHelp)->required()->type_name("STORE");
  command.add_option("--to", options.to, "The same, of a store that is empty")
      ->required()
      ->type_name("STORE");
  AddEtcdAccessFlags(command, options.etcd);
  AddBumpFlag(command, options.bump);
}

void AddSnapshotSaveFlags(CLI::App& command, SnapshotOptions& options) {
  command.add_option("file", options.file, "The snapshot")->required()->type_name("FILE");
  CLI::Option* const store =
      command.add_option("--store", options.store, kAddressHelp)->type_name("STORE");
  command
      .add_flag("--server", options.is_server,
                "Save a running server, by its API and as of one revision. Needs the right to list "
                "all resources. Secrets are saved in plain text")
      ->excludes(store);
  AddKubeconfigFlag(command, options.kubeconfig);
  AddEtcdAccessFlags(command, options.etcd);
}

void AddSnapshotRestoreFlags(CLI::App& command, SnapshotOptions& options) {
  command.add_option("file", options.file, "The snapshot")->required()->type_name("FILE");
  command.add_option("--store", options.store, kAddressHelp)->required()->type_name("STORE");
  AddEtcdAccessFlags(command, options.etcd);
  AddBumpFlag(command, options.bump);
}

int RunMigrate(const MigrateOptions& options, Context& context) {
  return ReportFilled(Migrate(options, context), "Copied", context);
}

int RunSnapshotSave(const SnapshotOptions& options, Context& context) {
  return ReportSaved(Save(options, context), context);
}

int RunSnapshotRestore(const SnapshotOptions& options, Context& context) {
  return ReportFilled(Restore(options, context), "Restored", context);
}

}  // namespace plimsoll::cli
