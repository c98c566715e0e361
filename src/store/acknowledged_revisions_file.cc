#include "store/acknowledged_revisions_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/fnv.h"

namespace plimsoll::store {
namespace {

// One sector, which a disk writes completely or not at all.
constexpr std::size_t kSlotBytes = 512;
constexpr int kSlots = 2;

/// `<latest> <compacted> <checksum of both>` and a line break.
std::string Encode(const AcknowledgedRevisions& mark) {
  const std::string numbers = fmt::format("{} {} ", Number(mark.latest), Number(mark.compacted));
  return fmt::format("{}{:016x}\n", numbers, Fnv1a(numbers));
}

std::optional<std::int64_t> TakeNumber(std::string_view& text) {
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(stop - text.data());
  if (error != std::errc() || number < 0 || length == text.size() || *stop != ' ') {
    return std::nullopt;
  }
  text.remove_prefix(length + 1);
  return number;
}

std::optional<AcknowledgedRevisions> Decode(std::string_view slot) {
  std::string_view rest = slot.substr(0, slot.find('\n'));
  const std::optional<std::int64_t> latest = TakeNumber(rest);
  if (!latest.has_value()) return std::nullopt;
  const std::optional<std::int64_t> compacted = TakeNumber(rest);
  if (!compacted.has_value()) return std::nullopt;
  const AcknowledgedRevisions mark{Revision{*latest}, Revision{*compacted}};
  if (!slot.starts_with(Encode(mark))) return std::nullopt;
  return mark;
}

std::unexpected<Error> CannotWrite(const std::string& path, int code) {
  return Fail(Reason::InternalError,
              "cannot write " + path + ": " + std::generic_category().message(code));
}

}  // namespace

Result<std::optional<AcknowledgedRevisions>> AcknowledgedRevisionsFile::Read(
    const std::string& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text.has_value()) {
    if (text.error().reason == Reason::NotFound) return std::nullopt;
    return std::unexpected(text.error());
  }
  std::optional<AcknowledgedRevisions> newest;
  for (std::size_t at = 0; at < text->size(); at += kSlotBytes) {
    const std::optional<AcknowledgedRevisions> mark =
        Decode(std::string_view(*text).substr(at, kSlotBytes));
    if (!mark.has_value()) continue;
    if (!newest.has_value() || newest->latest < mark->latest ||
        (newest->latest == mark->latest && newest->compacted < mark->compacted)) {
      newest = mark;
    }
  }
  if (!newest.has_value())
    return Fail(Reason::InternalError, path + " contains no complete record");
  return newest;
}

Result<AcknowledgedRevisionsFile> AcknowledgedRevisionsFile::Open(
    const std::string& path, const AcknowledgedRevisions& first) {
  AcknowledgedRevisionsFile made(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (made.file_ < 0) return CannotWrite(path, errno);
  // Allocate the blocks now, so that Write cannot fail on a full disk.
  for (int i = 0; i < kSlots; ++i) {
    std::string slot = Encode(first);
    slot.resize(kSlotBytes, '\0');
    if (pwrite(made.file_, slot.data(), slot.size(), i * static_cast<off_t>(kSlotBytes)) !=
        static_cast<ssize_t>(slot.size())) {
      return CannotWrite(path, errno);
    }
  }
  if (fsync(made.file_) != 0) return CannotWrite(path, errno);
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const int parent = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_synced = parent >= 0 && fsync(parent) == 0;
  const int code = errno;
  if (parent >= 0) close(parent);
  if (!is_synced) return CannotWrite(directory, code);
  return made;
}

AcknowledgedRevisionsFile::AcknowledgedRevisionsFile(AcknowledgedRevisionsFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)), slot_(other.slot_) {}

AcknowledgedRevisionsFile::~AcknowledgedRevisionsFile() {
  if (file_ < 0) return;
  Sync();
  close(file_);
}

void AcknowledgedRevisionsFile::Write(const AcknowledgedRevisions& mark) {
  const std::string text = Encode(mark);
  const off_t at = slot_ * static_cast<off_t>(kSlotBytes);
  if (pwrite(file_, text.data(), text.size(), at) != static_cast<ssize_t>(text.size())) return;
  slot_ = (slot_ + 1) % kSlots;
}

void AcknowledgedRevisionsFile::Sync() const {
  // A failure is harmless: the previous content is true as well.
  [[maybe_unused]] const int ignored = fdatasync(file_);
}

}  // namespace plimsoll::store
