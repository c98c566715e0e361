#include "service/data_directory_removal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "service/data_directory.h"

namespace plimsoll::service {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kFiles{"lock",
                                                 "pid",
                                                 "run.json",
                                                 "admin.kubeconfig",
                                                 "scheduler.kubeconfig",
                                                 "plimsoll.log",
                                                 "controller-manager.kubeconfig"};
constexpr std::array<std::string_view, 6> kPairs{"ca",        "apiserver",          "admin",
                                                 "scheduler", "controller-manager", "sa"};
constexpr std::array<std::string_view, 5> kStoreFiles{"CURRENT", "IDENTITY", "LOCK", "LOG",
                                                      "high-water"};
constexpr std::array<std::string_view, 3> kStorePrefixes{"LOG.old.", "MANIFEST-", "OPTIONS-"};
constexpr std::array<std::string_view, 4> kStoreEndings{".sst", ".log", ".dbtmp", ".blob"};

/// Returns the name without the ending of a file that was being written when its process ended.
std::string_view WithoutDraft(std::string_view name) {
  if (name.ends_with(".new")) name.remove_suffix(4);
  return name;
}

bool IsPkiFile(std::string_view name) {
  name = WithoutDraft(name);
  if (!name.ends_with(".crt") && !name.ends_with(".key")) return false;
  return std::ranges::find(kPairs, name.substr(0, name.size() - 4)) != kPairs.end();
}

bool IsStoreFile(std::string_view name) {
  name = WithoutDraft(name);
  return std::ranges::find(kStoreFiles, name) != kStoreFiles.end() ||
         std::ranges::any_of(kStorePrefixes,
                             [&](std::string_view one) { return name.starts_with(one); }) ||
         std::ranges::any_of(kStoreEndings,
                             [&](std::string_view one) { return name.ends_with(one); });
}

bool IsServersFile(const fs::path& below) {
  const std::string name = below.filename().string();
  const fs::path folder = below.parent_path();
  if (folder.empty()) return std::ranges::find(kFiles, WithoutDraft(name)) != kFiles.end();
  if (folder == "pki") return IsPkiFile(name);
  return folder == "store" && IsStoreFile(name);
}

std::unexpected<Error> NotOurs(const std::string& path, std::string_view why) {
  return Fail(
      Reason::Invalid,
      fmt::format("{} is not deleted: {}. Only a data directory of Plimsoll may be deleted; "
                  "check --data-dir",
                  path, why));
}

Status CheckPlace(const fs::path& real) {
  if (real == real.root_path()) return NotOurs(real.string(), "it is the root of all files");
  const char* const home = std::getenv("HOME");
  std::error_code ignored;
  if (home != nullptr && real == fs::weakly_canonical(home, ignored)) {
    return NotOurs(real.string(), "it is your home directory");
  }
  return {};
}

/// Returns all files and folders below the directory, contents before their folder. Invalid: one of
/// them is not a server's.
Result<std::vector<fs::path>> ListServersFiles(const fs::path& real) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entries(real, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    const fs::path below = entries->path().lexically_relative(real);
    const fs::file_status status = entries->symlink_status(error);
    if (error) break;
    const bool is_folder = fs::is_directory(status) && (below == "pki" || below == "store");
    if (!is_folder && (!fs::is_regular_file(status) || !IsServersFile(below))) {
      return NotOurs(real.string(), fmt::format("{} in it is no file of a server", below.string()));
    }
    found.push_back(entries->path());
  }
  if (error) {
    return Fail(Reason::InternalError,
                fmt::format("cannot read {}: {}", real.string(), error.message()));
  }
  std::ranges::reverse(found);  // an iterator reports a folder before its contents
  return found;
}

Status Remove(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (!error) return {};
  return Fail(Reason::InternalError,
              fmt::format("cannot delete {}: {}", path.string(), error.message()));
}

/// Closes the file in its destructor, which also ends its lock.
class Lock {
 public:
  explicit Lock(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {}
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  bool exists() const { return file_ >= 0; }
  bool Take() const { return flock(file_, LOCK_EX | LOCK_NB) == 0; }

 private:
  const int file_;
};

}  // namespace

Status RemoveDataDirectory(const std::string& path) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return {};
  const fs::path real = fs::canonical(path, error);
  if (error || !fs::is_directory(real, error)) return NotOurs(path, "it is no directory");
  PL_TRY(CheckPlace(real));
  PL_TRY(ListServersFiles(real));
  const fs::path lock_path = real / "lock";
  const Lock lock(lock_path.string());
  if (!lock.exists()) return NotOurs(path, "it has no lock of a server");
  if (!lock.Take()) {
    PL_TRY(DataDirectory::CheckUnclaimed(path));
    return Fail(Reason::ServiceUnavailable, path + " is in use by another process; stop it first");
  }
  // Read again, because a server may have run since. The lock goes last: a server that starts now
  // fails, and does not use a directory of which half is gone.
  for (const fs::path& file : PL_TRY(ListServersFiles(real))) {
    if (file != lock_path) PL_TRY(Remove(file));
  }
  PL_TRY(Remove(lock_path));
  return Remove(real);
}

}  // namespace plimsoll::service
