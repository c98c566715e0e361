#include "cli/store/storage_rewrite.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "apiserver/encryption/rewrite.h"
#include "base/real_clock.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/progress.h"
#include "cli/output/tree_output.h"
#include "cli/store/store_commands.h"

namespace plimsoll::cli {
namespace {

Result<apiserver::RewriteReport> Rewrite(const StorageRewriteOptions& options, Context& context) {
  const auto config = PL_TRY(apiserver::EncryptionConfig::Load(options.encryption_config));
  const apiserver::ResourceTable resources;
  RealClock clock;
  const auto store =
      PL_TRY(OpenStoreAt(options.store, OpenMode::Existing, options.etcd, clock, context.log));
  Progress progress("Rewriting values", context);
  return apiserver::RewriteValues(
      *store, apiserver::KeyTransformers(config, resources),
      options.deletes_unreadable ? apiserver::Unreadable::Delete : apiserver::Unreadable::Keep,
      [&progress](std::size_t done, std::size_t total) { progress.Set(done, total); });
}

}  // namespace

void AddStorageRewriteFlags(CLI::App& command, StorageRewriteOptions& options) {
  command
      .add_option("--store", options.store,
                  "Store to rewrite: rocksdb:DIR with the --data-dir of a stopped API server, or "
                  "etcd:URL,URL, also while API servers use it")
      ->required()
      ->type_name("STORE");
  command
      .add_option("--encryption-provider-config", options.encryption_config,
                  "EncryptionConfiguration. The first provider of each rule encrypts")
      ->required()
      ->type_name("FILE");
  command.add_flag("--delete-unreadable", options.deletes_unreadable,
                   "Delete values that no provider can decrypt. Nothing can restore them");
  AddEtcdAccessFlags(command, options.etcd);
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
}

int RunStorageRewrite(const StorageRewriteOptions& options, Context& context) {
  const Result<apiserver::RewriteReport> report = Rewrite(options, context);
  if (!report) return ReportFailure(report.error(), context);
  if (IsTree(options.output)) {
    codec::Document document;
    codec::Value root = document.NewObject();
    SetCount(document, root, "values", report->values);
    SetCount(document, root, "rewritten", report->rewritten);
    SetTexts(document, root, "unreadable", report->unreadable);
    WriteTree(root, options.output, context.out);
  } else {
    context.out << "Rewrote " << report->rewritten << " of " << report->values << " values\n";
  }
  for (const std::string& key : report->unreadable) {
    if (options.deletes_unreadable) {
      PrintWarning("deleted a value that no provider can decrypt: " + key, context);
    } else {
      PrintError("no provider of the configuration can decrypt the value of " + key,
                 context.err_look, context.err);
    }
  }
  return report->unreadable.empty() || options.deletes_unreadable ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
