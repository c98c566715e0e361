#include "store/wal_tail.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/file.h"

namespace plimsoll::store {
namespace {

// RocksDB's format: blocks of records, none of which crosses into the next block. Each has a
// checksum (4 bytes), a length (2), a type (1) and its payload. A large record is split into a
// first, middle and last piece.
constexpr std::size_t kBlock = 32'768;
constexpr std::size_t kHeader = 7;
constexpr std::size_t kSector = 512;
enum Type : unsigned char { kZero = 0, kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

struct Piece {
  unsigned char type = kZero;
  std::size_t end = 0;
};

std::uint32_t Little(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    number = number << 8U | static_cast<unsigned char>(bytes[i - 1]);
  }
  return number;
}

/// CRC-32C of type and payload, masked as in the file.
std::uint32_t Checksum(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  const std::uint32_t sum = crc.checksum();
  return (sum >> 15U | sum << 17U) + 0xa282ead8U;
}

/// Returns the piece that begins at `at`, if it is complete and its checksum is right.
std::optional<Piece> PieceAt(std::string_view bytes, std::size_t at) {
  const std::size_t block_end = std::min((at / kBlock + 1) * kBlock, bytes.size());
  if (at + kHeader > block_end) return std::nullopt;
  const std::size_t length = Little(bytes.substr(at + 4, 2));
  const auto type = static_cast<unsigned char>(bytes[at + 6]);
  if (type < kFull || type > kLast || at + kHeader + length > block_end) return std::nullopt;
  if (Checksum(bytes.substr(at + 6, 1 + length)) != Little(bytes.substr(at, 4)))
    return std::nullopt;
  return Piece{type, at + kHeader + length};
}

bool IsZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

/// Returns true if a complete record begins at or after `from`.
bool HasRecordBehind(std::string_view bytes, std::size_t from) {
  for (std::size_t at = from; at < bytes.size(); ++at) {
    // Check the cheap type byte before the checksum: most positions are no beginning.
    if (at + kHeader > bytes.size()) return false;
    const auto type = static_cast<unsigned char>(bytes[at + 6]);
    if ((type == kFull || type == kFirst) && PieceAt(bytes, at).has_value()) return true;
  }
  return false;
}

/// Returns true if a sector of the bytes after `from` is all zeroes, as if never written.
bool LacksSectors(std::string_view bytes, std::size_t from) {
  for (std::size_t at = (from + kSector - 1) / kSector * kSector; at < bytes.size();
       at += kSector) {
    if (IsZero(bytes.substr(at, kSector))) return true;
  }
  return IsZero(bytes.substr(from));
}

}  // namespace

WalTail InspectWal(std::string_view bytes) {
  std::size_t record = 0;  // where the current record begins
  bool is_within = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t rest = kBlock - at % kBlock;
    if (rest < kHeader) {  // padding
      at += rest;
      continue;
    }
    if (!is_within) record = at;
    const std::optional<Piece> piece = PieceAt(bytes, at);
    const bool begins = piece.has_value() && (piece->type == kFull || piece->type == kFirst);
    if (!piece.has_value() || begins == is_within) {
      const bool is_torn = !HasRecordBehind(bytes, at + 1) && LacksSectors(bytes, record);
      return {is_torn ? WalTail::Kind::Torn : WalTail::Kind::Damaged, record};
    }
    is_within = piece->type == kFirst || piece->type == kMiddle;
    at = piece->end;
  }
  // If the end of the last record is missing, RocksDB itself cuts the record off.
  return {WalTail::Kind::Whole, is_within ? record : bytes.size()};
}

Result<bool> CutTornTail(const std::string& directory, Logger& logger) {
  std::filesystem::path newest;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    // Log names are numbers of equal width, so they sort.
    if (entry.path().extension() == ".log" && entry.path() > newest) newest = entry.path();
  }
  if (error) return Fail(Reason::InternalError, directory + ": " + error.message());
  if (newest.empty()) return false;
  const std::string bytes = PL_TRY(ReadFile(newest.string()));
  const WalTail tail = InspectWal(bytes);
  if (tail.kind != WalTail::Kind::Torn) return false;
  PL_LOG(logger, Warning(), "Removing an incomplete change at the end of the write-ahead log",
         {"file", newest.string()}, {"bytes", bytes.size() - tail.good_bytes});
  const int file = open(newest.c_str(), O_WRONLY | O_CLOEXEC);
  const bool is_cut =
      file >= 0 && ftruncate(file, static_cast<off_t>(tail.good_bytes)) == 0 && fsync(file) == 0;
  const int code = errno;
  if (file >= 0) close(file);
  if (!is_cut) {
    return Fail(Reason::InternalError,
                "cannot cut " + newest.string() + ": " + std::generic_category().message(code));
  }
  return true;
}

}  // namespace plimsoll::store
