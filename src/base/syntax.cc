#include "base/syntax.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "base/text/ascii.h"

namespace plimsoll {
namespace {

enum CharClass : std::uint8_t {
  kLower = 1,
  kUpper = 2,
  kDigit = 4,
  kDash = 8,
  kDot = 16,
  kUnderscore = 32,
};
constexpr std::uint8_t kAlphanumeric = kLower | kUpper | kDigit;

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned char c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  for (unsigned char c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  classes['-'] = kDash;
  classes['.'] = kDot;
  classes['_'] = kUnderscore;
  return classes;
}();

bool Is(char c, std::uint8_t classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

bool AllOf(std::string_view text, std::uint8_t classes) {
  return std::ranges::all_of(text, [&](char c) { return Is(c, classes); });
}

/// Matches `[first]([inner]*[last])?`.
bool IsWord(std::string_view text, std::uint8_t first, std::uint8_t inner, std::uint8_t last) {
  return !text.empty() && Is(text.front(), first) && Is(text.back(), last) && AllOf(text, inner);
}

bool IsDns1123LabelText(std::string_view text) {
  return IsWord(text, kLower | kDigit, kLower | kDigit | kDash, kLower | kDigit);
}

bool IsDns1123SubdomainText(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!IsDns1123LabelText(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool IsNameText(std::string_view text) {
  return IsWord(text, kAlphanumeric, kAlphanumeric | kDash | kDot | kUnderscore, kAlphanumeric);
}

constexpr std::string_view kDns1123LabelRegex = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kDns1123SubdomainRegex =
    R"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)";

/// The odd comma and the two blanks between the examples are upstream's.
std::string RegexFault(std::string_view sentence, std::string_view regex,
                       std::initializer_list<std::string_view> examples) {
  std::string fault(sentence);
  fault += " (e.g. ";
  bool is_first = true;
  for (const std::string_view example : examples) {
    if (!is_first) fault += " or ";
    is_first = false;
    fault.append("'").append(example).append("', ");
  }
  return fault.append("regex used for validation is '").append(regex).append("')");
}

/// Upstream counts bytes everywhere, but only its newer messages say so.
std::string TooLong(std::size_t bytes_max, std::string_view unit) {
  return "must be no more than " + std::to_string(bytes_max) + " " + std::string(unit);
}

std::string NameFault() {
  return RegexFault(
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character",
      "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", {"MyName", "my.name", "123-abc"});
}

Faults CheckSubdomain(std::string_view text, std::string_view before, std::string_view unit) {
  Faults faults;
  if (text.size() > kDns1123SubdomainBytesMax) {
    faults.push_back(std::string(before) + TooLong(kDns1123SubdomainBytesMax, unit));
  }
  if (!IsDns1123SubdomainText(text)) {
    faults.push_back(
        std::string(before) +
        RegexFault("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
                   "characters, '-' or '.', and must start and end with an alphanumeric character",
                   kDns1123SubdomainRegex, {"example.com"}));
  }
  return faults;
}

/// Removes digits of the base from the front. Returns nullopt if there is none or the number
/// exceeds `value_max`. The number of digits is not limited.
std::optional<unsigned> TakeNumber(std::string_view& text, unsigned base, unsigned value_max) {
  unsigned value = 0;
  std::size_t length = 0;
  for (; length < text.size(); ++length) {
    const char c = text[length];
    unsigned digit = base;
    if (IsDigit(c)) digit = static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A') + 10;
    if (digit >= base) break;
    value = value * base + digit;
    if (value > value_max) return std::nullopt;
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

bool TakeChar(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool IsIpv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && !TakeChar(text, '.')) return false;
    if (!TakeNumber(text, 10, 255)) return false;
  }
  return text.empty();
}

/// Accepts eight groups of 16 bits. The last two may be an IPv4 address, and one run of at least
/// one group may be written as `::`.
bool IsIpv6(std::string_view text) {
  constexpr int kGroups = 8;
  int groups = 0;
  bool has_gap = text.starts_with("::");
  if (has_gap) text.remove_prefix(2);
  if (has_gap && text.empty()) return true;
  while (groups < kGroups) {
    const std::string_view rest = text;
    if (!TakeNumber(text, 16, 0xffff)) return false;
    if (text.starts_with('.')) {
      if (groups > kGroups - 2 || (!has_gap && groups != kGroups - 2)) return false;
      if (!IsIpv4(rest)) return false;
      groups += 2;
      text = {};
      break;
    }
    ++groups;
    if (text.empty()) break;
    if (!TakeChar(text, ':') || text.empty()) return false;
    if (TakeChar(text, ':')) {
      if (has_gap) return false;
      has_gap = true;
      if (text.empty()) break;
    }
  }
  return text.empty() && (has_gap ? groups < kGroups : groups == kGroups);
}

/// Returns the bits of the address family, or nullopt if the text is no address.
std::optional<unsigned> IpBits(std::string_view text) {
  const std::size_t mark = text.find_first_of(".:");
  if (mark == std::string_view::npos) return std::nullopt;
  if (text[mark] == '.') return IsIpv4(text) ? std::optional(32u) : std::nullopt;
  return IsIpv6(text) ? std::optional(128u) : std::nullopt;
}

bool IsCidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::optional<unsigned> bits = IpBits(text.substr(0, slash));
  std::string_view prefix = text.substr(slash + 1);
  return bits && TakeNumber(prefix, 10, *bits) && prefix.empty();
}

}  // namespace

Faults CheckQualifiedName(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool has_prefix = slash != std::string_view::npos;
  const std::string_view name = has_prefix ? text.substr(slash + 1) : text;
  if (name.find('/') != std::string_view::npos) {
    return {"a valid label key " + NameFault() +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  Faults faults;
  if (has_prefix) {
    const std::string_view prefix = text.substr(0, slash);
    if (prefix.empty()) {
      faults.emplace_back("prefix part must be non-empty");
    } else {
      faults = CheckSubdomain(prefix, "prefix part ", "bytes");
    }
  }
  if (name.empty()) {
    faults.emplace_back("name part must be non-empty");
  } else if (name.size() > kQualifiedNameBytesMax) {
    faults.push_back("name part " + TooLong(kQualifiedNameBytesMax, "bytes"));
  }
  if (!IsNameText(name)) faults.push_back("name part " + NameFault());
  return faults;
}

Faults CheckLabelValue(std::string_view text) {
  Faults faults;
  if (text.size() > kLabelValueBytesMax) faults.push_back(TooLong(kLabelValueBytesMax, "bytes"));
  if (!text.empty() && !IsNameText(text)) {
    faults.push_back(RegexFault(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
        "'.', and must start and end with an alphanumeric character",
        "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", {"MyValue", "my_value", "12345"}));
  }
  return faults;
}

Faults CheckDns1123Label(std::string_view text) {
  Faults faults;
  if (text.size() > kDns1123LabelBytesMax) {
    faults.push_back(TooLong(kDns1123LabelBytesMax, "characters"));
  }
  if (IsDns1123LabelText(text)) return faults;
  if (IsDns1123SubdomainText(text)) {
    faults.emplace_back("must not contain dots");
  } else {
    faults.push_back(
        RegexFault("a lowercase RFC 1123 label must consist of lower case alphanumeric characters "
                   "or '-', and must start and end with an alphanumeric character",
                   kDns1123LabelRegex, {"my-name", "123-abc"}));
  }
  return faults;
}

Faults CheckDns1123Subdomain(std::string_view text) {
  return CheckSubdomain(text, "", "characters");
}

Faults CheckDns1035Label(std::string_view text) {
  Faults faults;
  if (text.size() > kDns1123LabelBytesMax) {
    faults.push_back(TooLong(kDns1123LabelBytesMax, "characters"));
  }
  if (!IsWord(text, kLower, kLower | kDigit | kDash, kLower | kDigit)) {
    faults.push_back(RegexFault(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
        "alphabetic character, and end with an alphanumeric character",
        "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  }
  return faults;
}

Faults CheckConfigMapKey(std::string_view text) {
  Faults faults;
  if (text.size() > kDns1123SubdomainBytesMax) {
    faults.push_back(TooLong(kDns1123SubdomainBytesMax, "characters"));
  }
  if (text.empty() || !AllOf(text, kAlphanumeric | kDash | kDot | kUnderscore)) {
    faults.push_back(
        RegexFault("a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
                   "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  }
  if (text == "." || text == "..") {
    faults.push_back("must not be '" + std::string(text) + "'");
  } else if (text.starts_with("..")) {
    faults.push_back("must not start with '..'");
  }
  return faults;
}

Faults CheckCIdentifier(std::string_view text) {
  constexpr std::uint8_t kStart = kLower | kUpper | kUnderscore;
  if (IsWord(text, kStart, kStart | kDigit, kStart | kDigit)) return {};
  return {
      RegexFault("a valid C identifier must start with alphabetic character or '_', followed "
                 "by a string of alphanumeric characters or '_'",
                 "[A-Za-z_][A-Za-z0-9_]*", {"my_name", "MY_NAME", "MyName"})};
}

Faults CheckPortName(std::string_view text) {
  constexpr std::size_t kBytesMax = 15;
  Faults faults;
  if (text.size() > kBytesMax) faults.push_back(TooLong(kBytesMax, "characters"));
  if (text.empty() || !AllOf(text, kLower | kDigit | kDash)) {
    faults.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::ranges::none_of(text, [](char c) { return Is(c, kLower); })) {
    faults.emplace_back("must contain at least one letter (a-z)");
  }
  if (text.find("--") != std::string_view::npos) {
    faults.emplace_back("must not contain consecutive hyphens");
  }
  if (text.starts_with('-') || text.ends_with('-')) {
    faults.emplace_back("must not begin or end with a hyphen");
  }
  return faults;
}

Faults CheckPortNumber(std::int64_t port) {
  if (port >= 1 && port <= 65535) return {};
  return {"must be between 1 and 65535, inclusive"};
}

Faults CheckPercent(std::string_view text) {
  const bool has_sign = text.ends_with('%');
  const std::string_view number = has_sign ? text.substr(0, text.size() - 1) : text;
  if (has_sign && !number.empty() && AllOf(number, kDigit)) return {};
  return {RegexFault("a valid percent string must be a numeric string followed by an ending '%'",
                     "[0-9]+%", {"1%", "93%"})};
}

Faults CheckIp(std::string_view text) {
  if (IpBits(text)) return {};
  return {"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"};
}

Faults CheckCidr(std::string_view text) {
  if (IsCidr(text)) return {};
  return {"must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"};
}

}  // namespace plimsoll
