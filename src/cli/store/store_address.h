#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "cli/flags/etcd_flags.h"
#include "store/store.h"

namespace plimsoll::cli {

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
