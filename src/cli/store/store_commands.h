#pragma once

#include <cstdint>
#include <string>

#include "cli/context.h"
#include "cli/flags/output_flag.h"
#include "cli/store/store_address.h"
#include "store/transfer.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct MigrateOptions {
  std::string from;
  std::string to;
  std::int64_t bump = store::kDefaultBump;
  EtcdAccess etcd;
  OutputFormat output = OutputFormat::Text;
};

struct SnapshotOptions {
  std::string file;
  std::string store;                        // `save`: empty for a running server
  bool is_server = false;                   // `save`: from a running server
  std::string kubeconfig;                   // `save`: kubeconfig of that server
  std::string kube_context;                 // `save`: context in it; empty: the current one
  std::int64_t bump = store::kDefaultBump;  // for `restore`
  EtcdAccess etcd;
  OutputFormat output = OutputFormat::Text;
};

void AddMigrateFlags(CLI::App& command, MigrateOptions& options);
void AddSnapshotSaveFlags(CLI::App& command, SnapshotOptions& options);
void AddSnapshotRestoreFlags(CLI::App& command, SnapshotOptions& options);

/// Copies all objects from one store to another. REQUIRES: the target is empty.
int RunMigrate(const MigrateOptions& options, Context& context);
int RunSnapshotSave(const SnapshotOptions& options, Context& context);
int RunSnapshotRestore(const SnapshotOptions& options, Context& context);

}  // namespace plimsoll::cli
