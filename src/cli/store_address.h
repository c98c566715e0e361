#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "store/etcd_store.h"
#include "store/store.h"

namespace plimsoll::cli {

/// Key prefix and credentials for etcd.
struct EtcdAccess {
  std::string prefix = "/registry";
  std::string ca_file;
  std::string cert_file;
  std::string key_file;
  std::string user_file;  // user:password in one line
};

/// Reads the files of `access`. Returns Invalid if the user file is malformed.
Result<store::EtcdOptions> ReadEtcdOptions(const std::vector<std::string>& servers,
                                           const EtcdAccess& access);

enum class OpenMode : std::uint8_t {
  Existing,         // NotFound if there is no store in the directory; creates nothing
  CreateIfMissing,  // for a store that will be filled
};

/// Opens `rocksdb:DIRECTORY`, where DIRECTORY is a server's --data-dir, or `etcd:URL,URL`. Returns
/// Invalid for other addresses.
Result<std::unique_ptr<store::Store>> OpenStoreAt(const std::string& address, OpenMode mode,
                                                  const EtcdAccess& access, Clock& clock,
                                                  Logger& log);

}  // namespace plimsoll::cli
