#include "service/data_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/file.h"

namespace plimsoll::service {
namespace {

constexpr std::uint64_t kBytesPerMebibyte = 1U << 20U;

std::unexpected<Error> Unusable(const std::string& path, std::string_view why) {
  return Fail(Reason::InternalError,
              fmt::format("cannot keep data in {}: {}; choose a directory that you may write to "
                          "with --data-dir",
                          path, why));
}

std::unexpected<Error> InUse(const std::string& path, const std::string& lock_path) {
  // The owner of the lock writes its PID into it. The file is empty only until then.
  std::string holder = ReadFile(lock_path).value_or("");
  while (holder.ends_with('\n')) holder.pop_back();
  const std::string who = holder.empty() ? "another process" : "process " + holder;
  const std::string how = holder.empty() ? "" : fmt::format(" with 'kill {}'", holder);
  return Fail(Reason::ServiceUnavailable,
              fmt::format("{} is in use by {}: stop it{}, or choose another directory with "
                          "--data-dir",
                          path, who, how));
}

Status CheckFreeSpace(const std::string& path, std::uint64_t free_bytes_min) {
  struct statvfs disk{};
  if (statvfs(path.c_str(), &disk) != 0) return Unusable(path, std::strerror(errno));
  const std::uint64_t free_bytes = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (free_bytes >= free_bytes_min) return {};
  return Fail(
      Reason::InternalError,
      fmt::format("the disk of {} is full: {} MiB are free, {} are needed; free some, or "
                  "choose a directory on another disk with --data-dir",
                  path, free_bytes / kBytesPerMebibyte, free_bytes_min / kBytesPerMebibyte));
}

}  // namespace

DataDirectory::DataDirectory(DataDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      had_data_(other.had_data_) {}

DataDirectory::~DataDirectory() {
  if (lock_ >= 0) close(lock_);
}

Result<DataDirectory> DataDirectory::Claim(const Options& options) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(options.path, error).string();
  if (const Status made = MakeDirectory(path); !made) return Unusable(path, made.error().message);

  const std::string lock_path = path + "/lock";
  DataDirectory out(path, open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (out.lock_ < 0) return Unusable(path, std::strerror(errno));
  if (flock(out.lock_, LOCK_EX | LOCK_NB) != 0) return InUse(path, lock_path);

  const std::string store = path + "/store";
  if (options.is_fresh) std::filesystem::remove_all(store, error);
  if (error) return Unusable(path, error.message());
  PL_TRY(CheckFreeSpace(path, options.free_bytes_min));
  const std::string number = fmt::format("{}\n", getpid());
  if (ftruncate(out.lock_, 0) != 0 ||
      pwrite(out.lock_, number.data(), number.size(), 0) != static_cast<ssize_t>(number.size())) {
    return Unusable(path, std::strerror(errno));
  }
  out.had_data_ = std::filesystem::exists(store, error);
  return out;
}

}  // namespace plimsoll::service
