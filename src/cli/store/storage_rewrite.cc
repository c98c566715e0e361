#include "cli/store/storage_rewrite.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "apiserver/encryption/rewrite.h"
#include "base/real_clock.h"
#include "cli/output/failure.h"
#include "cli/store/store_commands.h"

namespace plimsoll::cli {
namespace {

Result<apiserver::RewriteReport> Rewrite(const StorageRewriteOptions& options, Context& context) {
  const auto config = PL_TRY(apiserver::EncryptionConfig::Load(options.encryption_config));
  const apiserver::ResourceTable resources;
  RealClock clock;
  const auto store =
      PL_TRY(OpenStoreAt(options.store, OpenMode::Existing, options.etcd, clock, context.log));
  return apiserver::RewriteValues(
      *store, apiserver::KeyTransformers(config, resources),
      options.deletes_unreadable ? apiserver::Unreadable::Delete : apiserver::Unreadable::Keep);
}

}  // namespace

void AddStorageRewriteFlags(CLI::App& command, StorageRewriteOptions& options) {
  command
      .add_option("--store", options.store,
                  "rocksdb:DIRECTORY, a server's --data-dir that no server uses now, or "
                  "etcd:URL,URL, which servers may use meanwhile")
      ->required()
      ->type_name("STORE");
  command
      .add_option("--encryption-provider-config", options.encryption_config,
                  "The EncryptionConfiguration; the first provider of each rule encrypts")
      ->required()
      ->type_name("FILE");
  command.add_flag("--delete-unreadable", options.deletes_unreadable,
                   "Delete values that no provider can read. Nothing brings them back, not even "
                   "their key");
  AddEtcdAccessFlags(command, options.etcd);
}

int RunStorageRewrite(const StorageRewriteOptions& options, Context& context) {
  const Result<apiserver::RewriteReport> report = Rewrite(options, context);
  if (!report) return ReportFailure(report.error(), context);
  context.out << "Rewrote " << report->rewritten << " of " << report->values << " values\n";
  for (const std::string& key : report->unreadable) {
    context.err << (options.deletes_unreadable ? "Deleted " : "error: ")
                << "what no provider of the configuration can read: " << key << '\n';
  }
  return report->unreadable.empty() || options.deletes_unreadable ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
