#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace plimsoll {
namespace {

std::unexpected<Error> SystemFault(std::string_view what, const std::string& path) {
  const int code = errno;
  return Fail(code == ENOENT ? Reason::NotFound : Reason::InternalError,
              std::string(what) + " " + path + ": " + std::strerror(code));
}

/// Closes the file descriptor in its destructor.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

Status WriteAll(const File& file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemFault("writing", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file.get()) != 0) return SystemFault("syncing", path);
  return {};
}

Status SyncDirectory(const std::string& path) {
  const File directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) return SystemFault("opening", path);
  if (fsync(directory.get()) != 0) return SystemFault("syncing", path);
  return {};
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemFault("opening", path);
  std::string text;
  char buffer[16384];
  while (true) {
    const ssize_t got = read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemFault("reading", path);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

Status MakeDirectory(const std::string& path) {
  if (path.empty() || path == "/") return {};
  struct stat facts{};
  if (stat(path.c_str(), &facts) == 0) {
    if (S_ISDIR(facts.st_mode)) return {};
    return Fail(Reason::InternalError, path + " exists and is not a directory");
  }
  const std::string parent = std::filesystem::path(path).parent_path().string();
  PL_TRY(MakeDirectory(parent));
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return SystemFault("making", path);
  return {};
}

Status WriteFile(const std::string& path, std::string_view text, std::uint32_t mode) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const std::string directory = parent.empty() ? std::string(1, '.') : parent;
  PL_TRY(MakeDirectory(directory));
  const std::string draft = path + ".new";
  unlink(draft.c_str());
  {
    const File file(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.get() < 0) return SystemFault("creating", draft);
    PL_TRY(WriteAll(file, text, draft));
  }
  if (rename(draft.c_str(), path.c_str()) != 0) return SystemFault("renaming to", path);
  return SyncDirectory(directory);
}

}  // namespace plimsoll
