#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output/styled_text.h"

namespace plimsoll::cli {

/// Text for people, line by line. Values cannot break a line or control the terminal.
class TextLines {
 public:
  /// `is_wide`: lists are complete.
  explicit TextLines(bool is_wide = false) : is_wide_(is_wide) {}

  bool is_wide() const { return is_wide_; }
  /// Appends a line. Escapes what is not printable in it, also line feeds.
  void Add(std::string_view line, Style style = Style::Plain);
  /// Appends a line of pieces with styles.
  void Add(const StyledText& line);
  void Blank() { text_.Add("\n"); }
  /// Returns `a, b, c and 4 more`; all of them if the output is wide.
  std::string List(const std::vector<std::string>& items) const;
  /// Sets the number of blanks before each later line.
  void Indent(std::size_t blanks) { indent_ = blanks; }

  const StyledText& text() const { return text_; }

 private:
  const bool is_wide_;
  StyledText text_;
  std::size_t indent_ = 0;
};

/// Returns `1 pod`, `2 pods`.
std::string CountText(std::size_t count, std::string_view one);
/// Returns `a, b, c and 4 more`. REQUIRES: `shown_max` > 0.
std::string ListText(const std::vector<std::string>& items, std::size_t shown_max = 5);

}  // namespace plimsoll::cli
