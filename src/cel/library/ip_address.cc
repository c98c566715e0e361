#include "cel/library/ip_address.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "base/go_text.h"
#include "base/text/ascii.h"

namespace plimsoll::cel {
namespace {

constexpr std::size_t kBytes = 16;

/// Parses one address. A failed step records the fault.
class AddressReader {
 public:
  explicit AddressReader(std::string_view text) : text_(text) {}

  std::optional<IpAddress> Read() {
    const auto is_mark = [](char c) { return c == '.' || c == ':' || c == '%'; };
    const auto first =
        static_cast<std::size_t>(std::ranges::find_if(text_, is_mark) - text_.begin());
    if (first == text_.size()) {
      Refuse("unable to parse IP");
    } else if (text_[first] == '%') {
      Refuse("missing IPv6 address");
    } else if (text_[first] == '.') {
      address_.is_v4 = true;
      ReadV4(text_, std::span(address_.bytes).first(4));
    } else {
      ReadV6();
    }
    if (has_fault()) return std::nullopt;
    return address_;
  }

  /// Returns the error of a text that could not be parsed.
  std::string Fault() const {
    std::string fault = "ParseAddr(" + GoQuote(text_) + "): " + std::string(fault_);
    if (!fault_at_.empty()) fault += " (at " + GoQuote(fault_at_) + ')';
    return fault;
  }

 private:
  void ReadV4(std::string_view text, std::span<std::uint8_t> fields) {
    unsigned value = 0;
    std::size_t field = 0;
    std::size_t digits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (IsDigit(c)) {
        if (digits == 1 && value == 0) return Refuse("IPv4 field has octet with leading zero");
        value = value * 10 + static_cast<unsigned>(c - '0');
        ++digits;
        if (value > 255) return Refuse("IPv4 field has value >255");
      } else if (c == '.') {
        if (i == 0 || i == text.size() - 1 || text[i - 1] == '.') {
          return Refuse("IPv4 field must have at least one digit", text.substr(i));
        }
        if (field == 3) return Refuse("IPv4 address too long");
        fields[field++] = static_cast<std::uint8_t>(value);
        value = 0;
        digits = 0;
      } else {
        return Refuse("unexpected character", text.substr(i));
      }
    }
    if (field < 3) return Refuse("IPv4 address too short");
    fields[3] = static_cast<std::uint8_t>(value);
  }

  void ReadV6() {
    rest_ = text_;
    const std::size_t zone = rest_.find('%');
    if (zone != std::string_view::npos) {
      if (zone + 1 == rest_.size()) return Refuse("zone must be a non-empty string");
      address_.has_zone = true;
      rest_ = rest_.substr(0, zone);
    }
    if (rest_.starts_with("::")) {
      gap_ = 0;
      rest_.remove_prefix(2);
      if (rest_.empty()) return;
    }
    while (used_ < kBytes && ReadField()) {
    }
    if (has_fault()) return;
    if (!rest_.empty()) return Refuse("trailing garbage after address", rest_);
    FillGap();
  }

  /// Parses one group of digits and its separator. Returns false after the last or a wrong one.
  bool ReadField() {
    std::size_t digits = 0;
    unsigned value = 0;
    for (; digits < rest_.size() && HexDigit(rest_[digits]) >= 0; ++digits) {
      value = value << 4 | static_cast<unsigned>(HexDigit(rest_[digits]));
      if (digits > 3) return Stop("each group must have 4 or less digits", rest_);
    }
    if (digits == 0) {
      return Stop("each colon-separated field must have at least one digit", rest_);
    }
    if (digits < rest_.size() && rest_[digits] == '.') return ReadEmbeddedV4();
    address_.bytes[used_++] = static_cast<std::uint8_t>(value >> 8);
    address_.bytes[used_++] = static_cast<std::uint8_t>(value & 0xff);
    rest_.remove_prefix(digits);
    if (rest_.empty()) return false;
    if (rest_[0] != ':') return Stop("unexpected character, want colon", rest_);
    if (rest_.size() == 1) return Stop("colon must be followed by more characters", rest_);
    rest_.remove_prefix(1);
    if (rest_[0] != ':') return true;
    if (gap_) return Stop("multiple :: in address", rest_);
    gap_ = used_;
    rest_.remove_prefix(1);
    return !rest_.empty();
  }

  bool ReadEmbeddedV4() {
    if (!gap_ && used_ != 12) {
      return Stop("embedded IPv4 address must replace the final 2 fields of the address", rest_);
    }
    if (used_ + 4 > kBytes) {
      return Stop("too many hex fields to fit an embedded IPv4 at the end of the address", rest_);
    }
    ReadV4(rest_, std::span(address_.bytes).subspan(used_, 4));
    used_ += 4;
    rest_ = {};
    return false;
  }

  void FillGap() {
    if (used_ == kBytes) {
      if (gap_) Refuse("the :: must expand to at least one field of zeros");
      return;
    }
    if (!gap_) return Refuse("address string too short");
    const auto from = address_.bytes.begin() + static_cast<std::ptrdiff_t>(*gap_);
    const auto until = address_.bytes.begin() + static_cast<std::ptrdiff_t>(used_);
    const auto moved = std::move_backward(from, until, address_.bytes.end());
    std::fill(from, moved, std::uint8_t{0});
  }

  bool Stop(std::string_view what, std::string_view at) {
    Refuse(what, at);
    return false;
  }

  void Refuse(std::string_view what, std::string_view at = {}) {
    fault_ = what;
    fault_at_ = at;
  }
  bool has_fault() const { return !fault_.empty(); }

  const std::string_view text_;
  std::string_view rest_;
  IpAddress address_;
  std::size_t used_ = 0;            // bytes of the address parsed so far
  std::optional<std::size_t> gap_;  // position of the :: among them
  std::string_view fault_;
  std::string_view fault_at_;
};

std::string TextV6(const std::array<std::uint8_t, kBytes>& bytes) {
  std::array<unsigned, 8> fields;
  for (std::size_t i = 0; i < 8; ++i) {
    fields[i] = static_cast<unsigned>(bytes[2 * i] << 8 | bytes[2 * i + 1]);
  }
  // The first of the longest runs of at least two zeros is elided.
  std::size_t gap = 8;
  std::size_t gap_size = 1;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t end = i;
    while (end < 8 && fields[end] == 0) ++end;
    if (end - i > gap_size) {
      gap = i;
      gap_size = end - i;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == gap) {
      text += "::";
      i += gap_size - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with(':')) text += ':';
    std::array<char, 4> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + 4, fields[i], 16);
    text.append(digits.data(), end);
  }
  return text;
}

/// Parses the length of a prefix, without sign and leading zeros. A number that does not fit is
/// too long for every address.
std::optional<int> ReadBits(std::string_view digits) {
  const bool is_plain = digits.size() == 1 || (digits.size() > 1 && digits[0] != '0');
  if (!is_plain) return std::nullopt;
  std::int64_t bits = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, bits);
  if (stop != end || error != std::errc{} || digits[0] == '-') return std::nullopt;
  constexpr std::int64_t kTooMany = 1000;
  return static_cast<int>(std::min(bits, kTooMany));
}

}  // namespace

bool IpAddress::is_v4_in_v6() const {
  const bool has_zeros =
      std::all_of(bytes.begin(), bytes.begin() + 10, [](std::uint8_t byte) { return byte == 0; });
  return !is_v4 && has_zeros && bytes[10] == 0xff && bytes[11] == 0xff;
}

IpAddress IpAddress::Masked(int bits_kept) const {
  IpAddress masked = *this;
  const auto whole = static_cast<std::size_t>(bits_kept / 8);
  if (whole == kBytes) return masked;
  masked.bytes[whole] = static_cast<std::uint8_t>(masked.bytes[whole] & (0xff00 >> bits_kept % 8));
  std::fill(masked.bytes.begin() + static_cast<std::ptrdiff_t>(whole) + 1, masked.bytes.end(), 0);
  return masked;
}

std::string IpAddress::Text() const {
  if (!is_v4) return TextV6(bytes);
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) text += '.';
    text += std::to_string(bytes[i]);
  }
  return text;
}

std::optional<IpAddress> ReadIpAddress(std::string_view text) {
  // Fast rejection of long texts that cannot be addresses.
  constexpr std::size_t kDigitsMax = 4;
  if (text.substr(0, kDigitsMax + 1).find_first_of(".:") == std::string_view::npos) {
    return std::nullopt;
  }
  return AddressReader(text).Read();
}

std::string ExplainIpAddress(std::string_view text) {
  AddressReader reader(text);
  reader.Read();
  return reader.Fault();
}

std::optional<IpPrefix> ReadIpPrefix(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<IpAddress> address = ReadIpAddress(text.substr(0, slash));
  if (!address || address->has_zone) return std::nullopt;
  const std::optional<int> bits = ReadBits(text.substr(slash + 1));
  if (!bits || *bits > address->bits()) return std::nullopt;
  return IpPrefix{*address, *bits};
}

std::string ExplainIpPrefix(std::string_view text) {
  const auto refuse = [&](const std::string& why) {
    return "netip.ParsePrefix(" + GoQuote(text) + "): " + why;
  };
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return refuse("no '/'");
  const std::string_view before = text.substr(0, slash);
  const std::optional<IpAddress> address = ReadIpAddress(before);
  if (!address) return refuse(ExplainIpAddress(before));
  if (address->has_zone) return refuse("IPv6 zones cannot be present in a prefix");
  const std::string_view digits = text.substr(slash + 1);
  if (!ReadBits(digits)) return refuse("bad bits after slash: " + GoQuote(digits));
  return refuse("prefix length out of range");
}

}  // namespace plimsoll::cel
