#include "base/file_stamps.h"

#include <sys/stat.h>

#include <utility>

namespace plimsoll {

FileStamps::FileStamps(std::vector<std::string> paths)
    : paths_(std::move(paths)), stamps_(Read()) {}

std::vector<FileStamps::Stamp> FileStamps::Read() const {
  std::vector<Stamp> stamps;
  for (const std::string& path : paths_) {
    struct stat facts{};
    if (stat(path.c_str(), &facts) != 0) {
      stamps.push_back({});
      continue;
    }
    stamps.push_back({static_cast<std::int64_t>(facts.st_dev),
                      static_cast<std::int64_t>(facts.st_ino), facts.st_size, facts.st_mtim.tv_sec,
                      facts.st_mtim.tv_nsec, facts.st_ctim.tv_nsec});
  }
  return stamps;
}

bool FileStamps::HaveChanged() {
  std::vector<Stamp> now = Read();
  if (now == stamps_) return false;
  stamps_ = std::move(now);
  return true;
}

}  // namespace plimsoll
