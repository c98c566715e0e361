#include "cli/output/styled_text.h"

#include <algorithm>
#include <ostream>

#include "cli/output/display_width.h"

namespace plimsoll::cli {
namespace {

/// Additional indent of the continuations of a line.
constexpr std::size_t kHanging = 4;

using Span = StyledText::Span;
using Line = std::vector<Span>;

/// Escapes all control characters except tabs.
std::string PrintableLine(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t tab = std::min(text.find('\t', begin), text.size());
    out += Printable(text.substr(begin, tab - begin));
    if (tab < text.size()) out += '\t';
    begin = tab + 1;
  }
  return out;
}

/// Splits the spans at newlines. The last line is empty if the text ends with a newline.
std::vector<Line> LinesOf(const StyledText& text) {
  std::vector<Line> lines(1);
  for (const Span& span : text.spans()) {
    std::string_view rest = span.text;
    while (true) {
      const std::size_t end = rest.find('\n');
      std::string part = PrintableLine(rest.substr(0, end));
      const bool hangs = span.hangs && rest.data() == span.text.data();
      if (!part.empty()) lines.back().push_back({std::move(part), span.style, hangs});
      if (end == std::string_view::npos) break;
      lines.emplace_back();
      rest.remove_prefix(end + 1);
    }
  }
  return lines;
}

/// Writes the bytes [begin, end) of a line.
void WritePart(const Line& line, std::size_t begin, std::size_t end, const Look& look,
               std::ostream& out) {
  std::size_t at = 0;
  for (const Span& span : line) {
    const std::size_t from = std::max(begin, at);
    const std::size_t to = std::min(end, at + span.text.size());
    if (from < to)
      out << look.Paint(std::string_view(span.text).substr(from - at, to - from), span.style);
    at += span.text.size();
  }
}

/// Returns the indent of the continuations of a line.
std::size_t IndentOf(const Line& line, std::string_view whole, std::size_t columns) {
  std::size_t indent = std::min(whole.find_first_not_of(' '), whole.size()) + kHanging;
  std::size_t before = 0;
  for (const Span& span : line) {
    if (span.hangs) indent = before;
    before += DisplayWidth(span.text);
  }
  // Deeply indented lines would leave too little room.
  return std::min(indent, columns / 2);
}

void WriteLine(const Line& line, const Look& look, std::ostream& out) {
  std::string whole;
  for (const Span& span : line) whole += span.text;
  if (look.columns == 0 || DisplayWidth(whole) <= look.columns) {
    WritePart(line, 0, whole.size(), look, out);
    return;
  }
  const std::size_t indent = IndentOf(line, whole, look.columns);
  const auto parts = FoldLine(whole, look.columns, look.columns - indent);
  for (const std::string_view& part : parts) {
    if (&part != &parts.front()) out << '\n' << std::string(indent, ' ');
    const auto begin = static_cast<std::size_t>(part.data() - whole.data());
    WritePart(line, begin, begin + part.size(), look, out);
  }
}

}  // namespace

std::string StyledText::plain() const {
  std::string out;
  for (const Span& span : spans_) out += span.text;
  return out;
}

void Write(const StyledText& text, const Look& look, std::ostream& out) {
  const std::vector<Line> lines = LinesOf(text);
  for (const Line& line : lines) {
    if (&line != &lines.front()) out << '\n';
    WriteLine(line, look, out);
  }
}

}  // namespace plimsoll::cli
