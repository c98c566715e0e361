#pragma once

#include <cstdint>
#include <string>

#include "cli/context.h"
#include "cli/store_address.h"
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
};

struct SnapshotOptions {
  std::string file;
  std::string store;                        // empty: a running server, of `save`
  bool is_server = false;                   // of `save`
  std::string kubeconfig;                   // of that server
  std::int64_t bump = store::kDefaultBump;  // of `restore`
  EtcdAccess etcd;
};

void AddMigrateFlags(CLI::App& command, MigrateOptions& options);
void AddSnapshotSaveFlags(CLI::App& command, SnapshotOptions& options);
void AddSnapshotRestoreFlags(CLI::App& command, SnapshotOptions& options);
/// Of every command that may use etcd.
void AddEtcdAccessFlags(CLI::App& command, EtcdAccess& access);

/// Copies all objects from one store to another, which must be empty.
int RunMigrate(const MigrateOptions& options, Context& context);
int RunSnapshotSave(const SnapshotOptions& options, Context& context);
int RunSnapshotRestore(const SnapshotOptions& options, Context& context);

}  // namespace plimsoll::cli
