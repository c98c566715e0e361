#pragma once

#include <string>

#include "cli/context.h"
#include "cli/store_address.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct MigrateOptions {
  std::string from;
  std::string to;
  EtcdAccess etcd;
};

struct SnapshotOptions {
  std::string file;
  std::string store;
  EtcdAccess etcd;
};

void AddMigrateFlags(CLI::App& command, MigrateOptions& options);
/// Of `save` and `restore`.
void AddSnapshotFlags(CLI::App& command, SnapshotOptions& options);
/// Of every command that may use etcd.
void AddEtcdAccessFlags(CLI::App& command, EtcdAccess& access);

/// Copies all objects from one store to another, which must be empty.
int RunMigrate(const MigrateOptions& options, Context& context);
int RunSnapshotSave(const SnapshotOptions& options, Context& context);
int RunSnapshotRestore(const SnapshotOptions& options, Context& context);

}  // namespace plimsoll::cli
