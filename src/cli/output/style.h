#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Colours of the output. No other source contains escape codes of terminals.
namespace plimsoll::cli {

/// Meaning of a piece of text. The colour follows from it.
enum class Style : std::uint8_t {
  Plain,
  Good,     // green: accepted
  Bad,      // red: refused, errors
  Warning,  // yellow: warnings and hints
  Heading,  // bold
};

/// On a terminal, returns to the begin of the line and erases the rest of it.
inline constexpr std::string_view kEraseLine = "\r\x1b[K";

/// Value of --color.
enum class ColourMode : std::uint8_t { Auto, Always, Never };

/// Properties of the device behind a stream.
struct StreamDevice {
  bool is_terminal = false;
  bool wants_colour = false;  // a terminal with colours, and its user has not switched them off
  std::size_t columns = 0;    // width of the terminal; 0: unknown
};

/// How a command writes to a stream. Paint is the only function that returns escape codes.
struct Look {
  bool has_colour = false;
  bool is_terminal = false;
  std::size_t columns = 0;  // longer lines are folded; 0: no line is

  /// Returns the text in the colour of the style. REQUIRES: `text` is printable.
  std::string Paint(std::string_view text, Style style) const;
};

/// Returns the look for this device. `Always` gives colour even to files and pipes.
Look LookOf(const StreamDevice& device, ColourMode mode);

/// Parses auto, always or never. Returns Auto for other texts.
ColourMode ParseColourMode(std::string_view text);

}  // namespace plimsoll::cli
