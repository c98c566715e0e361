#include "store/snapshot_format.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <iterator>

#include "base/fnv.h"

namespace plimsoll::store {
namespace {

constexpr std::string_view kHead = "plimsoll snapshot 1\n";
constexpr std::string_view kEnd = "end ";

/// Consumes its text from the front, and remembers a fault.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool Skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  template <class Number>
  Number ReadNumber(char behind, int base = 10) {
    Number number = 0;
    const auto [stop, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), number, base);
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    if (error != std::errc() || !Skip({&behind, 1})) is_good_ = false;
    return number;
  }
  std::string_view ReadLine(std::size_t bytes) {
    if (rest_.size() <= bytes || rest_[bytes] != '\n') {
      is_good_ = false;
      return {};
    }
    const std::string_view line = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes + 1);
    return line;
  }
  std::string_view rest() const { return rest_; }
  bool is_good() const { return is_good_; }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

std::unexpected<Error> NotWhole() { return Fail(Reason::Invalid, "the snapshot is incomplete"); }

}  // namespace

bool IsContent(std::string_view key) {
  return !key.ends_with("/plimsoll.io/position") && !key.ends_with("/plimsoll.io/revision-offset");
}

SnapshotWriter::SnapshotWriter() : text_(kHead) {}

void SnapshotWriter::Add(std::string_view key, std::string_view value) {
  fmt::format_to(std::back_inserter(text_), "{} {}\n{}\n{}\n", key.size(), value.size(), key,
                 value);
  ++count_;
}

std::string SnapshotWriter::Finish(Revision at) {
  fmt::format_to(std::back_inserter(text_), "{}{} {} ", kEnd, count_, Number(at));
  const std::uint64_t sum = Fnv1a(text_);
  fmt::format_to(std::back_inserter(text_), "{:016x}\n", sum);
  return std::move(text_);
}

Result<Snapshot> ReadSnapshot(std::string_view text) {
  Scanner scanner(text);
  if (!scanner.Skip(kHead)) return Fail(Reason::Invalid, "not a snapshot of this format");
  Snapshot snapshot;
  while (scanner.is_good() && !scanner.rest().starts_with(kEnd)) {
    const auto key_bytes = scanner.ReadNumber<std::size_t>(' ');
    const auto value_bytes = scanner.ReadNumber<std::size_t>('\n');
    const std::string_view key = scanner.ReadLine(key_bytes);
    snapshot.entries.emplace_back(key, scanner.ReadLine(value_bytes));
  }
  if (!scanner.is_good()) return NotWhole();
  scanner.Skip(kEnd);
  const auto count = scanner.ReadNumber<std::size_t>(' ');
  snapshot.at = Revision{scanner.ReadNumber<std::int64_t>(' ')};
  const std::string_view before = text.substr(0, text.size() - scanner.rest().size());
  const auto sum = scanner.ReadNumber<std::uint64_t>('\n', 16);
  if (!scanner.is_good() || !scanner.rest().empty() || count != snapshot.entries.size() ||
      sum != Fnv1a(before)) {
    return NotWhole();
  }
  return snapshot;
}

}  // namespace plimsoll::store
