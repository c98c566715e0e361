#include "apiserver/audit/rotating_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include "base/text/ascii.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kCompressed = ".gz";
constexpr std::string_view kUnfinished = ".gz.tmp";

Error SystemError(std::string_view what, const std::string& path) {
  return {Reason::InternalError, {}, std::string(what) + " " + path + ": " + std::strerror(errno)};
}

/// Parts of a path around the timestamp: `/var/log/audit-` and `.log`.
struct BackupName {
  explicit BackupName(const std::string& path) {
    const std::filesystem::path whole(path);
    extension = whole.extension().string();
    prefix = whole.stem().string() + "-";
    directory = whole.parent_path();
    if (directory.empty()) directory = ".";
  }

  std::string Path(std::string_view time) const {
    return (directory / (prefix + std::string(time) + extension)).string();
  }

  /// Returns the timestamp in the name of a rotated file, compressed or not; "" for other files.
  std::string TimeOf(std::string_view name) const {
    if (name.ends_with(kCompressed)) name.remove_suffix(kCompressed.size());
    constexpr std::string_view kShape = "0000-00-00T00-00-00.000";
    if (name.size() != prefix.size() + kShape.size() + extension.size()) return {};
    if (!name.starts_with(prefix) || !name.ends_with(extension)) return {};
    const std::string_view time = name.substr(prefix.size(), kShape.size());
    for (std::size_t i = 0; i < kShape.size(); ++i) {
      const bool is_digit = IsDigit(time[i]);
      if (kShape[i] == '0' ? !is_digit : time[i] != kShape[i]) return {};
    }
    return std::string(time);
  }

  std::filesystem::path directory;
  std::string prefix;
  std::string extension;
};

/// Returns `2026-03-01T12-30-00.123`, which sorts by time.
std::string BackupTime(Instant time) {
  std::string text = FormatMicroTime(time).substr(0, 23);
  std::ranges::replace(text, ':', '-');
  return text;
}

/// Compresses `from` into a file beside it and removes `from`.
Status Compress(const std::string& from) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return std::unexpected(SystemError("cannot read", from));
  const std::string unfinished = from + std::string(kUnfinished);
  const int out = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  gzFile zip = out < 0 ? nullptr : ::gzdopen(out, "wb");
  if (zip == nullptr) {
    Error error = SystemError("cannot write", unfinished);
    if (out >= 0) ::close(out);
    ::close(in);
    return std::unexpected(std::move(error));
  }
  std::vector<char> block(256u << 10);
  ssize_t got = 0;
  bool is_written = true;
  while (is_written && (got = ::read(in, block.data(), block.size())) != 0) {
    if (got < 0 && errno == EINTR) continue;
    is_written = got > 0 && ::gzwrite(zip, block.data(), static_cast<unsigned>(got)) == got;
  }
  is_written = ::gzclose(zip) == Z_OK && is_written;
  ::close(in);
  if (!is_written || ::rename(unfinished.c_str(), (from + std::string(kCompressed)).c_str()) != 0) {
    Error error = SystemError("cannot compress", from);
    ::unlink(unfinished.c_str());
    return std::unexpected(std::move(error));
  }
  if (::unlink(from.c_str()) != 0) return std::unexpected(SystemError("cannot remove", from));
  return {};
}

}  // namespace

RotatingFile::RotatingFile(std::string path, const RotationOptions& options, Clock& clock,
                           Logger& log)
    : path_(std::move(path)), options_(options), clock_(clock), log_(log) {}

RotatingFile::~RotatingFile() {
  if (file_ >= 0 && file_ != STDOUT_FILENO) ::close(file_);
}

Result<std::unique_ptr<RotatingFile>> RotatingFile::Open(const std::string& path,
                                                         const RotationOptions& options,
                                                         Clock& clock, Logger& log) {
  auto file = std::unique_ptr<RotatingFile>(new RotatingFile(path, options, clock, log));
  if (path == "-") {
    file->file_ = STDOUT_FILENO;
  } else {
    PL_TRY(file->Reopen());
  }
  return file;
}

Status RotatingFile::Reopen() {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return std::unexpected(SystemError("cannot open the audit log", path_));
  struct stat found{};
  is_regular_ = ::fstat(file, &found) == 0 && S_ISREG(found.st_mode);
  size_ = is_regular_ ? static_cast<std::uint64_t>(found.st_size) : 0;
  file_ = file;
  return {};
}

Status RotatingFile::Rotate() {
  const BackupName name(path_);
  // Two rotations within a millisecond must not use the same name.
  Instant when = clock_.Now();
  std::string backup = name.Path(BackupTime(when));
  while (::access(backup.c_str(), F_OK) == 0 ||
         ::access((backup + std::string(kCompressed)).c_str(), F_OK) == 0) {
    when += std::chrono::milliseconds(1);
    backup = name.Path(BackupTime(when));
  }
  // The file does not exist if an earlier rotation could not create the next one.
  if (::rename(path_.c_str(), backup.c_str()) != 0 && errno != ENOENT) {
    return std::unexpected(SystemError("cannot rotate the audit log", path_));
  }
  const int old = file_;
  const Status opened = Reopen();
  if (!opened) return opened;  // continues with the renamed file
  ::close(old);
  worker_.Run([this] { TidyBackups(); });
  return {};
}

std::size_t RotatingFile::WriteChunk(std::span<const std::string> lines, std::string& error) {
  std::string text;
  for (const std::string& line : lines) text += line;
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error = std::strerror(errno);
      break;
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  std::size_t kept = 0;
  std::uint64_t kept_bytes = 0;
  const std::uint64_t done = text.size() - left.size();
  while (kept < lines.size() && kept_bytes + lines[kept].size() <= done) {
    kept_bytes += lines[kept++].size();
  }
  // A partial line would corrupt the next one, too.
  if (kept_bytes < done && is_regular_ &&
      ::ftruncate(file_, static_cast<off_t>(size_ + kept_bytes)) != 0) {
    error += std::string("; cannot remove a part of a line: ") + std::strerror(errno);
  }
  size_ += kept_bytes;
  return kept;
}

std::size_t RotatingFile::Write(std::span<const std::string> lines, std::string& error) {
  std::size_t done = 0;
  while (done < lines.size()) {
    // Take as many lines as fit into the current file.
    std::size_t end = done;
    std::uint64_t bytes = 0;
    while (end < lines.size() &&
           (!is_regular_ || size_ + bytes + lines[end].size() <= options_.bytes_max)) {
      bytes += lines[end++].size();
    }
    if (end == done && size_ > 0) {
      if (const Status rotated = Rotate(); !rotated) {
        // A file that is too large is better than a lost event.
        if (!std::exchange(is_stuck_, true)) {
          PL_LOG(log_, Error(rotated.error()), "Could not rotate the audit log", {"path", path_});
        }
        end = lines.size();
      } else {
        is_stuck_ = false;
        continue;
      }
    }
    end = std::max(end, done + 1);  // a line longer than a whole file gets its own file
    const std::size_t kept = WriteChunk(lines.subspan(done, end - done), error);
    const bool is_short = kept < end - done;
    done += kept;
    if (is_short) return done;
  }
  return done;
}

void RotatingFile::TidyBackups() {
  const BackupName name(path_);
  std::vector<std::pair<std::string, std::string>> found;  // time, path
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(name.directory, error)) {
    std::string time = name.TimeOf(entry.path().filename().string());
    if (!time.empty()) found.emplace_back(std::move(time), entry.path().string());
  }
  std::ranges::sort(found, std::greater<>());
  const std::string oldest =
      options_.days_max == 0
          ? std::string()
          : BackupTime(clock_.Now() - std::chrono::hours(24) * options_.days_max);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [time, path] = found[i];
    const bool is_surplus =
        options_.backups_max > 0 && i >= static_cast<std::size_t>(options_.backups_max);
    if (is_surplus || time < oldest) {
      ::unlink(path.c_str());
      continue;
    }
    if (!options_.is_compressed || path.ends_with(kCompressed)) continue;
    if (const Status compressed = Compress(path); !compressed) {
      PL_LOG(log_, Error(compressed.error()), "Could not compress a rotated audit log",
             {"path", path});
    }
  }
}

}  // namespace plimsoll::apiserver
