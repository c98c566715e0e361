#include "base/semver.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <limits>
#include <optional>

#include "base/go_text.h"

// Both parsers cut the text at its first two dots and read the three pieces with the same code. The
// tolerant one first drops zeros from the front of each piece, and puts one back where no digit is
// left: `01.00.-rc` reads as `1.0.0-rc`. That zero exists only in upstream's rewritten text, yet
// its messages show it, so it is carried beside the piece: `V1.2.3` fails with `"0V1"`.

namespace plimsoll {
namespace {

/// A piece between dots, and whether a zero is to be thought before it.
struct Piece {
  bool has_zero = false;
  std::string_view text;

  std::string Text() const { return std::string(has_zero ? "0" : "") + std::string(text); }
};

constexpr std::size_t kPieces = 3;  // major, minor, and patch with all that follows it

struct Pieces {
  std::array<Piece, kPieces> piece;
  std::size_t count = 0;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// What pre-releases and build metadata are made of. A table, as versions may be long and their
/// parts many.
constexpr std::array<bool, 256> kIsIdentifier = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    table[c] =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  }
  return table;
}();

bool IsIdentifier(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return kIsIdentifier[static_cast<unsigned char>(c)]; });
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

/// The number when the text is nothing but digits that fit, without leading zeros: the only texts
/// that need no look at upstream's order of complaints.
std::optional<std::uint64_t> PlainNumber(const Piece& piece) {
  const std::string_view text = piece.text;
  if (piece.has_zero) return text.empty() ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error != std::errc{}) return std::nullopt;
  return value;
}

Result<std::uint64_t> ReadNumber(std::string_view capitalized, const Piece& piece) {
  if (const std::optional<std::uint64_t> value = PlainNumber(piece)) return *value;
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
  return GoParseUint(text);
}

Status CheckPrereleasePart(std::string_view text) {
  if (text.empty()) return Refuse("Prerelease is empty");
  if (!IsSemverNumber(text)) {
    if (!IsIdentifier(text)) return BadCharacters("prerelease", std::string(text));
    return {};
  }
  if (text.size() > 1 && text.front() == '0') {
    return Refuse("Numeric PreRelease version must not contain leading zeroes " + GoQuote(text));
  }
  // What is shorter fits.
  if (text.size() < std::numeric_limits<std::uint64_t>::digits10) return {};
  const Result<std::uint64_t> number = GoParseUint(text);
  return number ? Status() : std::unexpected(number.error());
}

Status CheckBuildPart(std::string_view text) {
  if (text.empty()) return Refuse("Build meta data is empty");
  if (!IsIdentifier(text)) return BadCharacters("build meta data", std::string(text));
  return {};
}

/// Cuts off what stands before the first dot.
std::string_view TakePart(std::string_view& text) {
  const std::size_t dot = text.find('.');
  const std::string_view part = text.substr(0, dot);
  text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  return part;
}

/// Checks the dot-separated parts of a text; an empty text has one part, the empty one.
template <class Check>
Status CheckParts(std::string_view text, Check check) {
  while (true) {
    const std::size_t dot = text.find('.');
    PL_TRY(check(text.substr(0, dot)));
    if (dot == std::string_view::npos) return {};
    text.remove_prefix(dot + 1);
  }
}

Result<Semver> Read(const std::array<Piece, kPieces>& pieces) {
  Semver version;
  version.major = PL_TRY(ReadNumber("Major", pieces[0]));
  version.minor = PL_TRY(ReadNumber("Minor", pieces[1]));

  Piece patch = pieces[2];
  std::optional<std::string_view> build;
  std::optional<std::string_view> prerelease;
  if (const std::size_t plus = patch.text.find('+'); plus != std::string_view::npos) {
    build = patch.text.substr(plus + 1);
    patch.text = patch.text.substr(0, plus);
  }
  if (const std::size_t minus = patch.text.find('-'); minus != std::string_view::npos) {
    prerelease = patch.text.substr(minus + 1);
    patch.text = patch.text.substr(0, minus);
  }
  version.patch = PL_TRY(ReadNumber("Patch", patch));
  if (prerelease) {
    PL_TRY(CheckParts(*prerelease, CheckPrereleasePart));
    version.prerelease = *prerelease;
  }
  if (build) {
    PL_TRY(CheckParts(*build, CheckBuildPart));
    version.build = *build;
  }
  return version;
}

/// A piece of one byte stays as it is: `v` and the empty text must fail by themselves.
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
  // Without leading zeros the longer of two numbers is the greater.
  if (is_number && a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

std::weak_ordering CompareParts(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::weak_ordering order = ComparePart(TakePart(a), TakePart(b));
    if (order != 0) return order;
  }
  return b.empty() <=> a.empty();
}

}  // namespace

bool IsSemverNumber(std::string_view part) { return std::ranges::all_of(part, IsDigit); }

std::string Semver::Finalized() const {
  std::string out;
  AppendNumber(out, major);
  out += '.';
  AppendNumber(out, minor);
  out += '.';
  AppendNumber(out, patch);
  return out;
}

std::string Semver::Text() const {
  std::string out = Finalized();
  if (!prerelease.empty()) out += "-" + prerelease;
  if (!build.empty()) out += "+" + build;
  return out;
}

std::weak_ordering Compare(const Semver& a, const Semver& b) {
  if (const auto order = a.major <=> b.major; order != 0) return order;
  if (const auto order = a.minor <=> b.minor; order != 0) return order;
  if (const auto order = a.patch <=> b.patch; order != 0) return order;
  // A release is above its pre-releases, though its list is the shortest.
  if (a.prerelease.empty() || b.prerelease.empty()) {
    return a.prerelease.empty() <=> b.prerelease.empty();
  }
  return CompareParts(a.prerelease, b.prerelease);
}

Result<Semver> ParseSemver(std::string_view text) {
  if (text.empty()) return Refuse("Version string empty");
  const Pieces pieces = Split(text);
  if (pieces.count != kPieces) return Refuse("No Major.Minor.Patch elements found");
  return Read(pieces.piece);
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
  return Read(pieces.piece);
}

}  // namespace plimsoll
