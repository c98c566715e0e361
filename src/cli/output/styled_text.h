#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/style.h"

namespace plimsoll::cli {

/// A text of several lines whose pieces have styles. It contains no escape codes: Write adds them.
class StyledText {
 public:
  struct Span {
    std::string text;
    Style style = Style::Plain;
    bool hangs = false;
  };

  StyledText() = default;
  explicit StyledText(std::string_view text, Style style = Style::Plain) { Add(text, style); }

  StyledText& Add(std::string_view text, Style style = Style::Plain) {
    if (!text.empty()) spans_.push_back({std::string(text), style});
    return *this;
  }
  /// Same, and if the line is folded, its continuations begin below the begin of this piece.
  StyledText& AddHanging(std::string_view text, Style style = Style::Plain) {
    spans_.push_back({std::string(text), style, true});
    return *this;
  }
  StyledText& Add(const StyledText& text) {
    spans_.insert(spans_.end(), text.spans_.begin(), text.spans_.end());
    return *this;
  }
  const std::vector<Span>& spans() const { return spans_; }
  bool empty() const { return spans_.empty(); }
  /// Returns the text without styles.
  std::string plain() const;

 private:
  std::vector<Span> spans_;
};

/// Writes the text in the colours of `look`. Escapes control characters except newlines and tabs,
/// see Printable. Folds lines that are longer than the terminal is wide. Without a hanging
/// piece, the continuations are indented by four columns more than the line itself.
void Write(const StyledText& text, const Look& look, std::ostream& out);

}  // namespace plimsoll::cli
