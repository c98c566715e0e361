#include "store/rocks_log.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string_view>

#include "store/limits.h"

namespace plimsoll::store {
namespace {

class RocksLog final : public rocksdb::Logger {
 public:
  explicit RocksLog(plimsoll::Logger& logger)
      : rocksdb::Logger(rocksdb::WARN_LEVEL), logger_(logger) {}

  using rocksdb::Logger::Logv;
  void Logv(const rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel() || level == rocksdb::HEADER_LEVEL) return;
    std::array<char, kRocksLogLineBytesMax> line{};
    const int wanted = std::vsnprintf(line.data(), line.size(), format, arguments);
    if (wanted <= 0) return;
    const std::string_view text(line.data(),
                                std::min(static_cast<std::size_t>(wanted), line.size() - 1));
    if (text.find("Corruption") != std::string_view::npos) {
      const std::lock_guard lock(mutex_);
      if (damage_.empty()) damage_ = text;
    }
    PL_LOG(logger_, Warning(), "RocksDB says", {"line", text});
  }
  void Logv(const char* format, va_list arguments) override {
    Logv(rocksdb::INFO_LEVEL, format, arguments);
  }

  std::string damage() const {
    const std::lock_guard lock(mutex_);
    return damage_;
  }

 private:
  plimsoll::Logger& logger_;
  mutable std::mutex mutex_;
  std::string damage_;
};

}  // namespace

std::shared_ptr<rocksdb::Logger> MakeRocksLog(Logger& logger) {
  return std::make_shared<RocksLog>(logger);
}

std::string FirstDamage(const rocksdb::Logger& log) {
  const auto* const ours = dynamic_cast<const RocksLog*>(&log);
  return ours == nullptr ? std::string() : ours->damage();
}

}  // namespace plimsoll::store
