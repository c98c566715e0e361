#include "cli/store/store_address.h"

#include <fmt/format.h>

#include <ranges>
#include <string_view>
#include <vector>

#include "store/etcd_store.h"
#include "store/rocks_store.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kRocks = "rocksdb:";
constexpr std::string_view kEtcd = "etcd:";

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(text, ',')) parts.emplace_back(part.begin(), part.end());
  return parts;
}

}  // namespace

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
