#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/etcd_store.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Key prefix and credentials for etcd.
struct EtcdAccess {
  std::string prefix = "/registry";
  std::string ca_file;
  std::string cert_file;
  std::string key_file;
  std::string user_file;  // user:password in one line
};

/// For every command that may use etcd.
void AddEtcdAccessFlags(CLI::App& command, EtcdAccess& access);

/// Reads the files of `access`. Returns Invalid if the user file is malformed.
Result<store::EtcdOptions> ReadEtcdOptions(const std::vector<std::string>& servers,
                                           const EtcdAccess& access);

}  // namespace plimsoll::cli
