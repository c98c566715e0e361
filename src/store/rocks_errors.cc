#include "store/rocks_errors.h"

#include <fmt/format.h>
#include <rocksdb/status.h>

namespace plimsoll::store {
namespace {

bool Mentions(const rocksdb::Status& status, std::string_view words) {
  return status.ToString().find(words) != std::string::npos;
}

}  // namespace

Error DamageError(const std::string& directory, std::string_view what) {
  return {Reason::InternalError,
          {},
          fmt::format("the store in {} is damaged: {}. Nothing was changed. Restore the directory "
                      "from a backup, or move it away to begin with an empty store",
                      directory, what)};
}

Error OpenError(const std::string& directory, const rocksdb::Status& status,
                std::string_view detail) {
  const std::string text = status.ToString();
  // RocksDB has no code for this, only an IOError with the system's text or its own.
  if (Mentions(status, "lock hold by current process") || Mentions(status, "While lock file")) {
    return {Reason::ServiceUnavailable,
            {},
            fmt::format("the store in {} is in use by another process: stop that one, or give this "
                        "one another directory ({})",
                        directory, text)};
  }
  if (status.IsCorruption()) {
    return DamageError(directory, detail.empty() ? text : fmt::format("{} ({})", text, detail));
  }
  if (status.IsInvalidArgument()) {
    return {Reason::InternalError,
            {},
            fmt::format("{} contains a database of another program: choose another directory "
                        "({})",
                        directory, text)};
  }
  if (status.IsNoSpace()) {
    return {Reason::InternalError,
            {},
            fmt::format("cannot open the store in {}: the disk is full; free some space and start "
                        "again ({})",
                        directory, text)};
  }
  return {Reason::InternalError,
          {},
          fmt::format("cannot open the store in {}: {}. Check that the directory can be read and "
                      "written by this user, and that the disk has no errors",
                      directory, text)};
}

Error ReadError(const std::string& directory, const rocksdb::Status& status) {
  if (status.IsCorruption() || status.IsNotFound()) {
    return DamageError(directory, status.ToString());
  }
  return {Reason::InternalError,
          {},
          fmt::format("cannot read from the store in {}: {}", directory, status.ToString())};
}

Error WriteError(const std::string& directory, const rocksdb::Status& status) {
  const std::string text = status.ToString();
  if (status.IsNoSpace() && status.severity() < rocksdb::Status::kFatalError) {
    return {Reason::ServiceUnavailable,
            {},
            fmt::format("the disk of {} is full ({}): writes fail, reads continue. Free some "
                        "space; the store retries every few seconds",
                        directory, text)};
  }
  return {Reason::ServiceUnavailable,
          {},
          fmt::format("writing to {} failed ({}): writes fail until a restart, reads continue. "
                      "Check the disk, then restart",
                      directory, text)};
}

}  // namespace plimsoll::store
