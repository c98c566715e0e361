#include "base/semver.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <limits>
#include <optional>

#include "base/assert.h"
#include "base/go_text.h"
#include "base/text/ascii.h"

// Both parsers split the text at its first two dots and read the three pieces with the same code.
// The tolerant one first removes leading zeros of each piece, and adds one if no digit is left:
// `01.00.-rc` reads as `1.0.0-rc`. The added zero exists only in upstream's rewritten text, but
// upstream's messages show it, so Piece records it: `V1.2.3` fails with `"0V1"`.

namespace plimsoll {
namespace {

/// A piece between dots. `has_zero` means that a zero was added before it.
struct Piece {
  bool has_zero = false;
  std::string_view text;

  std::string Text() const { return std::string(has_zero ? "0" : "") + std::string(text); }
};

/// Any number of this many digits fits 64 bits.
constexpr std::size_t kDigitsSafe = std::numeric_limits<std::uint64_t>::digits10;

constexpr std::size_t kPieces = 3;  // major, minor, and patch with the rest

struct Pieces {
  std::array<Piece, kPieces> piece;
  std::size_t count = 0;
};

/// Character classes of pre-releases and build metadata. A table, because versions can be long and
/// have many parts.
enum : std::uint8_t { kDigit = 1, kLetter = 2, kForeign = 4 };
constexpr std::array<std::uint8_t, 256> kKinds = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    const bool is_digit = IsDigit(static_cast<char>(c));
    const bool is_letter = IsLetter(static_cast<char>(c)) || c == '-';
    table[c] = is_digit ? kDigit : is_letter ? kLetter : kForeign;
  }
  return table;
}();

/// Returns the character classes that occur in a text.
unsigned KindsIn(std::string_view text) {
  unsigned kinds = 0;
  for (const char c : text) kinds |= kKinds[static_cast<unsigned char>(c)];
  return kinds;
}

Pieces Split(std::string_view text) {
  Pieces pieces;
  while (true) {
    const bool is_last = pieces.count == kPieces - 1;
    const std::size_t dot = is_last ? std::string_view::npos : text.find('.');
    pieces.piece[pieces.count++].text = text.substr(0, dot);
    if (dot == std::string_view::npos) return pieces;
    text.remove_prefix(dot + 1);
  }
}

std::unexpected<Error> Refuse(std::string message) {
  return Fail(Reason::Invalid, std::move(message));
}

std::unexpected<Error> BadCharacters(std::string_view where, const std::string& found) {
  return Refuse("Invalid character(s) found in " + std::string(where) + " " + GoQuote(found));
}

/// Returns the number if the text is only digits, without leading zeros, and fits 64 bits.
std::optional<std::uint64_t> ReadNumber(const Piece& piece) {
  const std::string_view text = piece.text;
  if (piece.has_zero) return text.empty() ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  if (text.size() <= kDigitsSafe) {
    std::uint64_t value = 0;
    for (const char c : text) {
      if (!IsDigit(c)) return std::nullopt;
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return text.empty() ? std::nullopt : std::optional<std::uint64_t>(value);
  }
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error != std::errc{}) return std::nullopt;
  return value;
}

/// Returns true if the number has no leading zero and fits 64 bits. REQUIRES: digits only.
bool IsPlainNumber(std::string_view text) {
  if (text.size() <= kDigitsSafe) {
    return text.front() != '0' || text.size() == 1;
  }
  return ReadNumber({.text = text}).has_value();
}

/// Returns true if all dot-separated parts are valid: none is empty, and with `has_numbers`,
/// numbers are plain.
bool ArePartsRight(std::string_view text, bool has_numbers) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const char* const begin = at;
    unsigned kinds = 0;
    for (; at != end && *at != '.'; ++at) kinds |= kKinds[static_cast<unsigned char>(*at)];
    if (at == begin || (kinds & kForeign) != 0) return false;
    if (has_numbers && kinds == kDigit && !IsPlainNumber({begin, at})) return false;
    if (at == end) return true;
    ++at;
  }
}

/// The parts of the third piece.
struct Tail {
  Piece patch;
  std::optional<std::string_view> prerelease;
  std::optional<std::string_view> build;
};

Tail TakeApart(const Piece& piece) {
  Tail tail{.patch = piece};
  std::string_view& patch = tail.patch.text;
  if (const std::size_t plus = patch.find('+'); plus != std::string_view::npos) {
    tail.build = patch.substr(plus + 1);
    patch = patch.substr(0, plus);
  }
  if (const std::size_t minus = patch.find('-'); minus != std::string_view::npos) {
    tail.prerelease = patch.substr(minus + 1);
    patch = patch.substr(0, minus);
  }
  return tail;
}

std::optional<SemverView> Read(const std::array<Piece, kPieces>& pieces) {
  const Tail tail = TakeApart(pieces[2]);
  const std::optional<std::uint64_t> major = ReadNumber(pieces[0]);
  const std::optional<std::uint64_t> minor = ReadNumber(pieces[1]);
  const std::optional<std::uint64_t> patch = ReadNumber(tail.patch);
  if (!major || !minor || !patch) return std::nullopt;
  if (tail.prerelease && !ArePartsRight(*tail.prerelease, true)) return std::nullopt;
  if (tail.build && !ArePartsRight(*tail.build, false)) return std::nullopt;
  return SemverView{*major, *minor, *patch, tail.prerelease.value_or(""), tail.build.value_or("")};
}

// The functions below make the message for the first fault of an invalid version, as upstream does.

Status CheckNumber(std::string_view capitalized, const Piece& piece) {
  const std::string text = piece.Text();
  if (!std::ranges::all_of(text, IsDigit)) {
    std::string lower(capitalized);
    lower.front() = static_cast<char>(lower.front() - 'A' + 'a');
    return BadCharacters(lower + " number", text);
  }
  if (text.size() > 1 && text.front() == '0') {
    return Refuse(std::string(capitalized) + " number must not contain leading zeroes " +
                  GoQuote(text));
  }
  const Result<std::uint64_t> number = GoParseUint(text);
  return number ? Status() : std::unexpected(number.error());
}

Status CheckPrereleasePart(std::string_view text) {
  if (text.empty()) return Refuse("Prerelease is empty");
  if (!IsSemverNumber(text)) {
    if ((KindsIn(text) & kForeign) != 0) return BadCharacters("prerelease", std::string(text));
    return {};
  }
  if (text.size() > 1 && text.front() == '0') {
    return Refuse("Numeric PreRelease version must not contain leading zeroes " + GoQuote(text));
  }
  const Result<std::uint64_t> number = GoParseUint(text);
  return number ? Status() : std::unexpected(number.error());
}

Status CheckBuildPart(std::string_view text) {
  if (text.empty()) return Refuse("Build meta data is empty");
  if ((KindsIn(text) & kForeign) != 0) return BadCharacters("build meta data", std::string(text));
  return {};
}

/// Checks the dot-separated parts of a text; an empty text has one empty part.
template <class Check>
Status CheckParts(std::string_view text, Check check) {
  while (true) {
    const std::size_t dot = text.find('.');
    PL_TRY(check(text.substr(0, dot)));
    if (dot == std::string_view::npos) return {};
    text.remove_prefix(dot + 1);
  }
}

Status Check(const std::array<Piece, kPieces>& pieces) {
  const Tail tail = TakeApart(pieces[2]);
  PL_TRY(CheckNumber("Major", pieces[0]));
  PL_TRY(CheckNumber("Minor", pieces[1]));
  PL_TRY(CheckNumber("Patch", tail.patch));
  if (tail.prerelease) PL_TRY(CheckParts(*tail.prerelease, CheckPrereleasePart));
  if (tail.build) PL_TRY(CheckParts(*tail.build, CheckBuildPart));
  return {};
}

Result<Semver> ReadOrExplain(const std::array<Piece, kPieces>& pieces) {
  if (const std::optional<SemverView> version = Read(pieces)) {
    return Semver{version->major, version->minor, version->patch, std::string(version->prerelease),
                  std::string(version->build)};
  }
  const Status fault = Check(pieces);
  PL_ASSERT(!fault);
  return std::unexpected(fault.error());
}

/// Removes leading zeros. A piece of one byte is kept: `v` and the empty text must fail later.
void DropZeros(Piece& piece) {
  if (piece.text.size() < 2) return;
  piece.text.remove_prefix(std::min(piece.text.find_first_not_of('0'), piece.text.size()));
  piece.has_zero = piece.text.empty() || !IsDigit(piece.text.front());
}

void AppendNumber(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end);
}

std::weak_ordering ComparePart(std::string_view a, std::string_view b) {
  const bool is_number = IsSemverNumber(a);
  if (is_number != IsSemverNumber(b)) {
    return is_number ? std::weak_ordering::less : std::weak_ordering::greater;
  }
  // Numbers have no leading zeros, so the longer one is greater.
  if (is_number && a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

/// Returns the length of the common prefix.
std::size_t SamePrefix(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t same = 0;
  for (const std::size_t block : {1024u, 64u, 1u}) {
    while (size - same >= block && a.substr(same, block) == b.substr(same, block)) same += block;
  }
  return same;
}

/// Returns the part that begins at `at`, up to its dot.
std::string_view PartAt(std::string_view text, std::size_t at) {
  text = text.substr(at);
  return text.substr(0, text.find('.'));
}

std::weak_ordering CompareParts(std::string_view a, std::string_view b) {
  // Skip the parts that are equal; the first different ones decide.
  const std::size_t same = SamePrefix(a, b);
  const bool ends_a = same == a.size();
  const bool ends_b = same == b.size();
  if (ends_a && ends_b) return std::weak_ordering::equivalent;
  // One list is a prefix of the other.
  if (ends_a && b[same] == '.') return std::weak_ordering::less;
  if (ends_b && a[same] == '.') return std::weak_ordering::greater;
  const std::size_t dot = a.substr(0, same).rfind('.');
  const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
  return ComparePart(PartAt(a, begin), PartAt(b, begin));
}

}  // namespace

bool IsSemverNumber(std::string_view part) { return std::ranges::all_of(part, IsDigit); }

std::string SemverView::Finalized() const {
  std::string out;
  AppendNumber(out, major);
  out += '.';
  AppendNumber(out, minor);
  out += '.';
  AppendNumber(out, patch);
  return out;
}

std::string SemverView::Text() const {
  std::string out = Finalized();
  if (!prerelease.empty()) out.append(1, '-').append(prerelease);
  if (!build.empty()) out.append(1, '+').append(build);
  return out;
}

std::weak_ordering Compare(const SemverView& a, const SemverView& b) {
  if (const auto order = a.major <=> b.major; order != 0) return order;
  if (const auto order = a.minor <=> b.minor; order != 0) return order;
  if (const auto order = a.patch <=> b.patch; order != 0) return order;
  // A release is greater than its pre-releases, although its list is shorter.
  if (a.prerelease.empty() || b.prerelease.empty()) {
    return a.prerelease.empty() <=> b.prerelease.empty();
  }
  return CompareParts(a.prerelease, b.prerelease);
}

std::optional<SemverView> ReadSemver(std::string_view text) {
  const Pieces pieces = Split(text);
  return pieces.count == kPieces ? Read(pieces.piece) : std::nullopt;
}

Result<Semver> ParseSemver(std::string_view text) {
  if (text.empty()) return Refuse("Version string empty");
  const Pieces pieces = Split(text);
  if (pieces.count != kPieces) return Refuse("No Major.Minor.Patch elements found");
  return ReadOrExplain(pieces.piece);
}

Result<Semver> ParseSemverTolerant(std::string_view text) {
  text = GoTrimSpace(text);
  if (text.starts_with('v')) text.remove_prefix(1);
  Pieces pieces = Split(text);
  std::ranges::for_each(pieces.piece.begin(), pieces.piece.begin() + pieces.count, DropZeros);
  if (pieces.count < kPieces) {
    if (pieces.piece[pieces.count - 1].text.find_first_of("+-") != std::string_view::npos) {
      return Refuse("Short version cannot contain PreRelease/Build meta data");
    }
    while (pieces.count < kPieces) pieces.piece[pieces.count++] = {.text = "0"};
  }
  return ReadOrExplain(pieces.piece);
}

}  // namespace plimsoll
