#include "cli/output/log_file.h"

#include <filesystem>
#include <ostream>

#include "base/file.h"

namespace plimsoll::cli {
namespace {

std::unexpected<Error> Unwritable(const std::string& why) {
  return FailAt(Reason::Invalid, "--log-file", why);
}

}  // namespace

Status LogFile::Open(const std::string& path) {
  const Status made = MakeDirectory(std::filesystem::path(path).parent_path().string());
  if (!made) return Unwritable(made.error().Text());
  const std::scoped_lock lock(mutex_);
  file_.open(path, std::ios::app);
  if (!file_) return Unwritable("cannot write to " + path);
  return {};
}

void LogFile::Write(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  (file_.is_open() ? file_ : standard_error_) << text << std::flush;
}

}  // namespace plimsoll::cli
