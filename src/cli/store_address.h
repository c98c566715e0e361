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

/// What etcd wants to know of us, and we of it, besides where it is.
struct EtcdAccess {
  std::string prefix = "/registry";
  std::string ca_file;
  std::string cert_file;
  std::string key_file;
  std::string user_file;  // user:password, in one line
};

/// With what is in the files. Invalid: the line in the user's file.
Result<store::EtcdOptions> ReadEtcdOptions(const std::vector<std::string>& servers,
                                           const EtcdAccess& access);

enum class OpenMode : std::uint8_t {
  Existing,         // NotFound when there is no store in the directory, and nothing is created
  CreateIfMissing,  // for a store that is about to be filled
};

/// Opens `rocksdb:DIRECTORY`, which is a server's --data-dir, or `etcd:URL,URL`. Invalid: it is
/// neither.
Result<std::unique_ptr<store::Store>> OpenStoreAt(const std::string& address, OpenMode mode,
                                                  const EtcdAccess& access, Clock& clock,
                                                  Logger& log);

}  // namespace plimsoll::cli
