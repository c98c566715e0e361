#pragma once

#include <string>

#include "cli/context.h"
#include "cli/flags/output_flag.h"
#include "cli/store/store_address.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct StorageRewriteOptions {
  std::string store;
  std::string encryption_config;
  bool deletes_unreadable = false;
  EtcdAccess etcd;
  OutputFormat output = OutputFormat::Text;
};

void AddStorageRewriteFlags(CLI::App& command, StorageRewriteOptions& options);

/// Rewrites all values of a store that are not encrypted as the EncryptionConfiguration
/// requires.
int RunStorageRewrite(const StorageRewriteOptions& options, Context& context);

}  // namespace plimsoll::cli
