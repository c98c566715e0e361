// Checks regular expressions without building a syntax tree. For each open
// group it keeps only the state that errors depend on. That is whether there
// is something to repeat, the nesting depth, the product of repetition
// counts, and the program size.

#include "cel/library/regex_syntax.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "cel/library/regex_class.h"
#include "cel/limits.h"

namespace plimsoll::cel {
namespace {

constexpr std::uint64_t kStepsOfAny = 12;

/// Properties of a part: nesting depth, largest product of nested repetition counts, and
/// approximate number of program steps.
struct Shape {
  std::uint32_t height = 0;
  std::uint32_t repeats = 1;
  std::uint64_t steps = 0;

  Shape With(Shape other) const {
    return {std::max(height, other.height), std::max(repeats, other.repeats), steps + other.steps};
  }
  Shape Wrapped() const { return {height + 1, repeats, steps + 1}; }
};

/// Parts joined by concatenation or alternation: two or more add a nesting level.
struct Joined {
  Shape shape;
  std::uint32_t count = 0;

  void Add(Shape part) {
    shape = shape.With(part);
    ++count;
  }
  Shape All() const { return count > 1 ? shape.Wrapped() : shape; }
};

struct Group {
  bool is_capture = false;
  std::optional<Shape> last;  // the part that a repetition operator would apply to
  Joined parts;               // those before it
  Joined branches;

  void Push(Shape part) {
    if (last) parts.Add(*last);
    last = part;
  }
  void EndBranch() {
    if (last) parts.Add(*last);
    branches.Add(parts.All());
    parts = {};
    last.reset();
  }
};

struct Count {
  std::int32_t min = 0;
  std::int32_t max = 0;  // -1: unbounded
  std::string_view rest;
};

class RegexReader {
 public:
  explicit RegexReader(std::string_view pattern) : pattern_(pattern), rest_(pattern) {}

  std::expected<TranslatedRegex, std::string> Read() {
    groups_.push_back({});
    while (!rest_.empty() && !fault_) {
      const std::string_view operator_before = operator_;
      operator_ = {};
      ReadNext(operator_before);
    }
    if (!fault_ && groups_.size() != 1) Refuse("missing closing )", pattern_);
    if (!fault_) {
      groups_.back().EndBranch();
      if (groups_.back().branches.shape.steps > kRegexStepsMax) {
        Refuse("expression too large", pattern_);
      }
    }
    if (fault_) return std::unexpected("error parsing regexp: " + *fault_);
    return TranslatedRegex{std::move(out_), groups_.back().branches.shape.steps};
  }

 private:
  void ReadNext(std::string_view operator_before) {
    switch (rest_[0]) {
      case '(':
        return ReadGroup();
      case ')':
        return ReadGroupEnd();
      case '|':
        groups_.back().EndBranch();
        return Copy(1);
      case '[':
        return ReadClass();
      case '*':
      case '+':
      case '?':
        return ReadRepeat(operator_before, rest_.substr(1), std::nullopt);
      case '{':
        if (const std::optional<Count> count = ParseCount()) {
          return ReadCount(operator_before, *count);
        }
        // RE2 also accepts `{` as a literal, but treats numbers with leading zeros differently.
        out_ += "\\{";
        rest_.remove_prefix(1);
        return Push();
      case '\\':
        return ReadBackslash();
      default:
        return ReadRune();
    }
  }

  void ReadRune() {
    const Rune rune = DecodeRune(rest_);
    if (!rune.is_valid) return RefuseBytes(rest_);
    Copy(rune.bytes);
    Push(rune.value == '.' ? kStepsOfAny : rune.bytes);
  }

  void ReadGroup() {
    if (rest_.starts_with("(?")) return ReadPerlGroup();
    Copy(1);
    groups_.push_back({.is_capture = true});
  }

  void ReadPerlGroup() {
    const bool has_p = rest_.size() > 4 && rest_.starts_with("(?P<");
    const bool has_name = rest_.size() > 3 && rest_.starts_with("(?<");
    if (has_p || has_name) return ReadNamedGroup(has_name ? 3 : 4);
    bool is_negative = false;
    bool has_flag = false;
    std::size_t at = 2;
    while (at < rest_.size()) {
      const Rune rune = DecodeRune(rest_.substr(at));
      if (!rune.is_valid) return RefuseBytes(rest_);
      at += rune.bytes;
      if (rune.value == 'i' || rune.value == 'm' || rune.value == 's' || rune.value == 'U') {
        has_flag = true;
      } else if (rune.value == '-' && !is_negative) {
        is_negative = true;
        has_flag = false;
      } else if ((rune.value == ':' || rune.value == ')') && (!is_negative || has_flag)) {
        if (rune.value == ':') groups_.push_back({});
        return CopyFlags(at);
      } else {
        break;
      }
    }
    Refuse("invalid or unsupported Perl syntax", rest_.substr(0, at));
  }

  /// RE2 rejects the empty `(?)` that Go accepts.
  void CopyFlags(std::size_t bytes) {
    if (rest_.substr(0, bytes) == "(?)") {
      rest_.remove_prefix(bytes);
      return;
    }
    Copy(bytes);
  }

  /// Drops the name: nothing uses it, and RE2 rejects duplicate names.
  void ReadNamedGroup(std::size_t name_at) {
    const std::size_t end = rest_.find('>');
    if (end == std::string_view::npos) {
      if (!IsUtf8(rest_)) return RefuseBytes(rest_);
      return Refuse("invalid named capture", rest_);
    }
    const std::string_view name = rest_.substr(name_at, end - name_at);
    if (!IsUtf8(name)) return RefuseBytes(name);
    const auto is_word = [](char c) { return c == '_' || IsAlphanumeric(c); };
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_word)) {
      return Refuse("invalid named capture", rest_.substr(0, end + 1));
    }
    rest_.remove_prefix(end + 1);
    out_ += '(';
    groups_.push_back({.is_capture = true});
  }

  void ReadGroupEnd() {
    if (groups_.size() == 1) return Refuse("unexpected )", pattern_);
    Group group = std::move(groups_.back());
    groups_.pop_back();
    group.EndBranch();
    const Shape inside = group.branches.All();
    Copy(1);
    PushShape(group.is_capture ? inside.Wrapped() : inside);
  }

  void ReadClass() {
    const std::expected<RegexPiece, std::string> read = ReadRegexClass(rest_, out_);
    if (!read) {
      fault_ = read.error();
      return;
    }
    rest_.remove_prefix(read->bytes);
    Push(read->steps);
  }

  void ReadBackslash() {
    const std::string_view two = rest_.substr(0, 2);
    if (two == "\\Q") return ReadQuoted();
    if (two == "\\A" || two == "\\b" || two == "\\B" || two == "\\z") {
      Copy(2);
      return Push();
    }
    if (two == "\\C") return Refuse("invalid escape sequence", two);
    const std::expected<RegexPiece, std::string> read = ReadRegexEscape(rest_, out_);
    if (!read) {
      fault_ = read.error();
      return;
    }
    rest_.remove_prefix(read->bytes);
    Push(read->steps);
  }

  /// Parses \Q…\E; the \E may be missing. Each rune is a separate part.
  void ReadQuoted() {
    rest_.remove_prefix(2);
    const std::size_t end = rest_.find("\\E");
    std::string_view quoted = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
    while (!quoted.empty()) {
      const Rune rune = DecodeRune(quoted);
      if (!rune.is_valid) return RefuseBytes(quoted);
      if (rune.value == 0) {
        out_ += "\\x00";
      } else {
        const bool is_symbol = rune.value < 0x80 && !IsRegexAlphanumeric(quoted[0]);
        if (is_symbol) out_ += '\\';
        out_ += quoted.substr(0, rune.bytes);
      }
      quoted.remove_prefix(rune.bytes);
      Push();
    }
  }

  /// Parses digits without leading zeros; returns -1 for a number that is far too large.
  static std::optional<std::int32_t> ParseNumber(std::string_view& text) {
    std::size_t digits = 0;
    while (digits < text.size() && IsDigit(text[digits])) ++digits;
    if (digits == 0 || (digits > 1 && text[0] == '0')) return std::nullopt;
    std::int32_t number = 0;
    for (const char digit : text.substr(0, digits)) {
      if (number >= 100'000'000) {
        number = -1;
        break;
      }
      number = number * 10 + (digit - '0');
    }
    text.remove_prefix(digits);
    return number;
  }

  /// Parses `{2}`, `{2,}` or `{2,3}`; anything else is no repetition count.
  std::optional<Count> ParseCount() const {
    std::string_view text = rest_.substr(1);
    const std::optional<std::int32_t> min = ParseNumber(text);
    if (!min) return std::nullopt;
    Count count{.min = *min, .max = *min, .rest = {}};
    if (text.starts_with(',')) {
      text.remove_prefix(1);
      count.max = -1;
      if (!text.starts_with('}')) {
        const std::optional<std::int32_t> max = ParseNumber(text);
        if (!max) return std::nullopt;
        count.max = *max;
        if (*max < 0) count.min = -1;
      }
    }
    if (!text.starts_with('}')) return std::nullopt;
    count.rest = text.substr(1);
    return count;
  }

  void ReadCount(std::string_view operator_before, const Count& count) {
    constexpr auto kMax = static_cast<std::int32_t>(kRegexRepeatMax);
    if (count.min < 0 || count.min > kMax || count.max > kMax ||
        (count.max >= 0 && count.min > count.max)) {
      return Refuse("invalid repeat count", rest_.substr(0, rest_.size() - count.rest.size()));
    }
    ReadRepeat(operator_before, count.rest, count);
  }

  void ReadRepeat(std::string_view operator_before, std::string_view after,
                  std::optional<Count> count) {
    const std::string_view here = rest_;
    if (after.starts_with('?')) after.remove_prefix(1);
    const auto until_after = [&](std::string_view from) {
      return from.substr(0, from.size() - after.size());
    };
    if (!operator_before.empty()) {
      return Refuse("invalid nested repetition operator", until_after(operator_before));
    }
    Group& group = groups_.back();
    if (!group.last) {
      return Refuse("missing argument to repetition operator", until_after(here));
    }
    *group.last = group.last->Wrapped();
    if (count) {
      const std::int32_t times = count->max < 0 ? count->min : count->max;
      const std::uint32_t inside = group.last->repeats;
      group.last->repeats = times == 0 ? 1 : inside * static_cast<std::uint32_t>(times);
      group.last->steps *= static_cast<std::uint64_t>(times) + 1;
      if ((count->min >= 2 || count->max >= 2) && group.last->repeats > kRegexRepeatMax) {
        return Refuse("invalid repeat count", until_after(here));
      }
    }
    CheckHeight(*group.last);
    operator_ = here;
    Copy(here.size() - after.size());
  }

  void Push(std::uint64_t steps = 1) { PushShape({.height = 1, .repeats = 1, .steps = steps}); }

  void PushShape(Shape part) {
    groups_.back().Push(part);
    CheckHeight(part);
  }

  void CheckHeight(Shape part) {
    if (part.height > kRegexHeightMax) Refuse("expression nests too deeply", pattern_);
  }

  void Copy(std::size_t bytes) {
    out_ += rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
  }

  void Refuse(std::string_view what, std::string_view where) {
    if (!fault_) fault_ = RegexFault(what, where);
  }
  void RefuseBytes(std::string_view where) { Refuse("invalid UTF-8", where); }

  const std::string_view pattern_;
  std::string_view rest_;
  std::string_view operator_;  // the pattern from the last repetition operator on
  std::vector<Group> groups_;
  std::string out_;
  std::optional<std::string> fault_;
};

}  // namespace

std::expected<TranslatedRegex, std::string> TranslateRegex(std::string_view pattern) {
  return RegexReader(pattern).Read();
}

}  // namespace plimsoll::cel
