#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {

/// Temporary directory of one test, with a clock, a log and metrics.
class AuditFolder {
 public:
  AuditFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "audit_test_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    path_ = folder_ + "/audit.log";
  }
  ~AuditFolder() { std::filesystem::remove_all(folder_); }
  AuditFolder(const AuditFolder&) = delete;
  AuditFolder& operator=(const AuditFolder&) = delete;

 protected:
  /// Returns "" if the file does not exist.
  static std::string TextOf(const std::string& path) { return ReadFile(path).value_or(""); }
  /// Returns the sorted names of all files but the current log, each followed by a blank.
  std::string Backups() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().filename() != "audit.log") names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    std::string out;
    for (const std::string& name : names) out += name + " ";
    return out;
  }

  std::string folder_;
  std::string path_;
  VirtualClock clock_{Instant(std::chrono::seconds(1'772'366'400))};  // 2026-03-01T12:00:00Z
  MemorySink sink_;
  Logger log_{clock_, sink_};
  std::unique_ptr<MetricsRegistry> registry_ = std::make_unique<MetricsRegistry>();
};

}  // namespace plimsoll::apiserver
