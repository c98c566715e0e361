#include "service/data_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/file.h"

namespace plimsoll::service {
namespace {

constexpr std::uint64_t kBytesPerMebibyte = 1U << 20U;

std::string PidFileIn(const std::string& path) { return path + "/pid"; }

std::unexpected<Error> Unusable(const std::string& path, std::string_view why) {
  return Fail(Reason::InternalError,
              fmt::format("cannot keep data in {}: {}; choose a directory that you may write to "
                          "with --data-dir",
                          path, why));
}

std::unexpected<Error> InUse(const std::string& path, const std::string& holder) {
  const std::string who = holder.empty() ? "another process" : "process " + holder;
  const std::string how = holder.empty() ? "" : fmt::format(" with 'kill {}'", holder);
  return Fail(Reason::ServiceUnavailable,
              fmt::format("{} is in use by {}: stop it{}, or choose another directory with "
                          "--data-dir",
                          path, who, how));
}

/// Returns the PID in the lock. The owner writes it; the file is empty only until then.
std::string HolderIn(const std::string& lock_path) {
  std::string holder = ReadFile(lock_path).value_or("");
  while (holder.ends_with('\n')) holder.pop_back();
  return holder;
}

/// Returns true if the path still names the open file. Another process may have deleted it since.
bool IsStillAt(const std::string& path, int file) {
  struct stat opened{};
  struct stat named{};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

Status WritePid(int file, const std::string& path) {
  const std::string number = fmt::format("{}\n", getpid());
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, number.data(), number.size(), 0) != static_cast<ssize_t>(number.size())) {
    return Unusable(path, std::strerror(errno));
  }
  return {};
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
      pid_file_(std::exchange(other.pid_file_, -1)),
      had_data_(other.had_data_) {}

DataDirectory::~DataDirectory() {
  if (pid_file_ >= 0) close(pid_file_);
  if (lock_ >= 0) close(lock_);
}

Result<DataDirectory> DataDirectory::Claim(const Options& options) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(options.path, error).string();
  if (const Status made = MakeDirectory(path); !made) return Unusable(path, made.error().message);

  const std::string lock_path = path + "/lock";
  DataDirectory out(path, open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (out.lock_ < 0) return Unusable(path, std::strerror(errno));
  if (flock(out.lock_, LOCK_EX | LOCK_NB) != 0) return InUse(path, HolderIn(lock_path));
  if (!IsStillAt(lock_path, out.lock_)) {
    return Fail(Reason::ServiceUnavailable,
                fmt::format("{} was deleted at this moment; try again", path));
  }

  const std::string store = path + "/store";
  if (options.is_fresh) std::filesystem::remove_all(store, error);
  if (error) return Unusable(path, error.message());
  PL_TRY(CheckFreeSpace(path, options.free_bytes_min));
  PL_TRY(WritePid(out.lock_, path));
  PL_TRY(out.WritePidFile());
  out.had_data_ = std::filesystem::exists(store, error);
  return out;
}

/// Locks a second file with a record lock, because the kernel tells its owner to those who ask, and
/// asking takes no lock. The owner must not close the file once more: that would end a record lock.
Status DataDirectory::WritePidFile() {
  const std::string file = PidFileIn(path_);
  pid_file_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct flock whole{.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0, .l_pid = 0};
  if (pid_file_ < 0 || fcntl(pid_file_, F_SETLK, &whole) != 0) {
    return Unusable(path_, std::strerror(errno));
  }
  return WritePid(pid_file_, path_);
}

Result<std::optional<int>> DataDirectory::FindOwner(const std::string& path) {
  const std::string file = PidFileIn(path);
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (opened < 0) {
    return Fail(Reason::InternalError,
                fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  }
  struct flock wanted{
      .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0, .l_pid = 0};
  const int answer = fcntl(opened, F_GETLK, &wanted);
  const int fault = errno;
  close(opened);
  if (answer != 0) {
    return Fail(Reason::InternalError,
                fmt::format("cannot tell who uses {}: {}", path, std::strerror(fault)));
  }
  if (wanted.l_type == F_UNLCK) return std::nullopt;
  return std::max(0, static_cast<int>(wanted.l_pid));
}

Status DataDirectory::CheckUnclaimed(const std::string& path) {
  // An unreadable directory is reported by Claim, which says what to do.
  const auto owner = FindOwner(path);
  if (!owner || !*owner) return {};
  std::error_code ignored;
  return InUse(std::filesystem::absolute(path, ignored).string(),
               **owner == 0 ? "" : std::to_string(**owner));
}

}  // namespace plimsoll::service
