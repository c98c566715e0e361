#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/store.h"

// Format of the database. README.md describes it as a whole.

namespace plimsoll::store {

inline constexpr int kRocksFormat = 1;

// Column families. The first is RocksDB's own.
inline constexpr std::string_view kMetaFamily = "default";
inline constexpr std::string_view kLogFamily = "log";
inline constexpr std::string_view kValuesFamily = "values";

// Keys of the meta family; their values are decimal numbers.
inline constexpr std::string_view kFormatKey = "format";
inline constexpr std::string_view kCompactedKey = "compacted";
inline constexpr std::string_view kAcknowledgedKey =
    "high_water";  // 1: kAcknowledgedFile must exist

// File beside those of RocksDB. Its format is in acknowledged_revisions_file.h.
inline constexpr std::string_view kAcknowledgedFile = "high-water";

/// A revision as a database key: eight bytes that sort like the numbers.
class RevisionKey {
 public:
  explicit RevisionKey(Revision revision);
  std::string_view text() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::array<char, 8> bytes_;
};
std::optional<Revision> ParseRevisionKey(std::string_view text);

/// Record of one change in the log family.
struct Logged {
  std::string_view key;
  bool is_deletion = false;
};
/// Overwrites `out`, whose memory is reused.
void EncodeLogged(const Logged& record, std::string& out);
std::optional<Logged> ParseLogged(std::string_view text);

/// Parses a decimal number that is not negative.
std::optional<std::int64_t> ParseMetaNumber(std::string_view text);

}  // namespace plimsoll::store
