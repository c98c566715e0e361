#include "cli/store_address.h"

#include <fmt/format.h>

#include <ranges>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "store/rocks_store.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kRocks = "rocksdb:";
constexpr std::string_view kEtcd = "etcd:";

Result<std::string> ReadIfNamed(const std::string& path) {
  if (path.empty()) return std::string();
  return ReadFile(path);
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(text, ',')) parts.emplace_back(part.begin(), part.end());
  return parts;
}

}  // namespace

Result<store::EtcdOptions> ReadEtcdOptions(const std::vector<std::string>& servers,
                                           const EtcdAccess& access) {
  store::EtcdOptions etcd;
  etcd.endpoints = servers;
  etcd.prefix = access.prefix;
  etcd.authorities = PL_TRY(ReadIfNamed(access.ca_file));
  etcd.certificate = PL_TRY(ReadIfNamed(access.cert_file));
  etcd.key = PL_TRY(ReadIfNamed(access.key_file));
  etcd.authorities_file = access.ca_file;
  etcd.certificate_file = access.cert_file;
  etcd.key_file = access.key_file;
  if (access.user_file.empty()) return etcd;
  std::string line = PL_TRY(ReadFile(access.user_file));
  while (line.ends_with('\n')) line.pop_back();
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon == 0) {
    return Fail(Reason::Invalid, access.user_file + ": want user:password");
  }
  etcd.user = line.substr(0, colon);
  etcd.password = line.substr(colon + 1);
  return etcd;
}

Result<std::unique_ptr<store::Store>> OpenStoreAt(const std::string& address, OpenMode mode,
                                                  const EtcdAccess& access, Clock& clock,
                                                  Logger& log) {
  if (address.starts_with(kRocks)) {
    return store::OpenRocksStore({.directory = address.substr(kRocks.size()) + "/store",
                                  .creates_if_missing = mode == OpenMode::CreateIfMissing},
                                 clock, log, nullptr);
  }
  if (address.starts_with(kEtcd)) {
    return store::OpenEtcdStore(
        PL_TRY(ReadEtcdOptions(SplitAtCommas(address.substr(kEtcd.size())), access)), clock, log,
        nullptr);
  }
  return Fail(Reason::Invalid,
              fmt::format("'{}': want rocksdb:DIRECTORY or etcd:URL,URL", address));
}

}  // namespace plimsoll::cli
