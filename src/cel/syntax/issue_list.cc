#include "cel/syntax/issue_list.h"

#include <algorithm>
#include <utility>

#include "base/text/utf8.h"
#include "cel/limits.h"

namespace plimsoll::cel {
namespace {

struct Line {
  std::size_t number = 1;
  std::size_t begin = 0;           // in bytes
  std::uint32_t begin_points = 0;  // in code points
};

/// Returns the line of the code point at `offset`.
Line FindLine(std::string_view source, std::uint32_t offset) {
  Line line;
  std::size_t at = 0;
  for (std::uint32_t point = 0; point < offset && at < source.size(); ++point) {
    const bool ends = source[at] == '\n';
    at += DecodeRune(source.substr(at)).bytes;
    if (ends) line = {line.number + 1, at, point + 1};
  }
  return line;
}

std::string Snippet(std::string_view source, std::size_t begin) {
  const std::size_t end = std::min(source.find('\n', begin), source.size());
  std::string line(source.substr(begin, end - begin));
  std::ranges::replace(line, '\t', ' ');
  return line;
}

/// Returns dots up to the column and a caret, full-width below multi-byte characters.
std::string CaretLine(std::string_view snippet, std::int64_t column) {
  std::string out;
  std::size_t at = 0;
  for (std::int64_t i = 0; i < column && at < snippet.size(); ++i) {
    const std::size_t bytes = DecodeRune(snippet.substr(at)).bytes;
    out += bytes > 1 ? "．" : ".";
    at += bytes;
  }
  return out + (at < snippet.size() && DecodeRune(snippet.substr(at)).bytes > 1 ? "＾" : "^");
}

}  // namespace

Issues IssueList::Finish(Issues::Stage stage, std::shared_ptr<const std::string> source) {
  Issues taken{.stage = stage,
               .list = std::move(list_),
               .unreported = count_ > kIssuesMax ? count_ - kIssuesMax : 0,
               .source = std::move(source)};
  // Issues without a position come first, then those at missing input.
  std::ranges::stable_sort(taken.list, {}, [](const Issue& one) {
    return one.offset == kNoOffset ? 0u : one.offset == kMissingOffset ? 1u : one.offset + 2;
  });
  return taken;
}

Location Issues::LocationOf(const Issue& issue) const {
  if (issue.offset == kNoOffset) return {};
  if (issue.offset == kMissingOffset) return {1, -1};
  const Line line = FindLine(*source, issue.offset);
  return {static_cast<std::int64_t>(line.number), issue.offset - line.begin_points};
}

std::string Issues::Text(const Issue& issue) const {
  const Location at = LocationOf(issue);
  std::string out = "ERROR: <input>:" + std::to_string(at.line) + ":" +
                    std::to_string(at.column + 1) + ": " + issue.message;
  if (at.line < 0 || source->empty()) return out;
  const std::size_t begin =
      issue.offset == kMissingOffset ? 0 : FindLine(*source, issue.offset).begin;
  const std::string snippet = Snippet(*source, begin);
  if (CountRunes(snippet) > kSnippetCodePointsMax) return out;
  return out + "\n | " + snippet + "\n | " + CaretLine(snippet, at.column);
}

std::string Issues::Text() const {
  std::string out;
  for (const Issue& issue : list) {
    if (!out.empty()) out += '\n';
    out += Text(issue);
  }
  if (unreported > 0) out += "\n" + std::to_string(unreported) + " more errors were truncated";
  return out;
}

}  // namespace plimsoll::cel
