#include "store/rocks_format.h"

#include <charconv>

namespace plimsoll::store {
namespace {

constexpr char kPut = 'p';
constexpr char kDelete = 'd';

}  // namespace

RevisionKey::RevisionKey(Revision revision) {
  auto number = static_cast<std::uint64_t>(Number(revision));
  for (std::size_t i = bytes_.size(); i > 0; --i, number >>= 8U) {
    bytes_[i - 1] = static_cast<char>(number & 0xFFU);
  }
}

std::optional<Revision> ParseRevisionKey(std::string_view text) {
  if (text.size() != 8 || (static_cast<unsigned char>(text.front()) & 0x80U) != 0) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  for (const char byte : text) number = number << 8U | static_cast<unsigned char>(byte);
  return Revision{static_cast<std::int64_t>(number)};
}

void EncodeLogged(const Logged& record, std::string& out) {
  out.assign(1, record.is_deletion ? kDelete : kPut);
  out.append(record.key);
}

std::optional<Logged> ParseLogged(std::string_view text) {
  if (text.size() < 2 || (text.front() != kPut && text.front() != kDelete)) return std::nullopt;
  return Logged{text.substr(1), text.front() == kDelete};
}

std::optional<std::int64_t> ParseMetaNumber(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || number < 0) return std::nullopt;
  return number;
}

}  // namespace plimsoll::store
