#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The syntax of names, labels and keys. Each function returns upstream's messages, one per fault,
/// and none when the text is right; the right text costs no allocation.
namespace plimsoll {

using Faults = std::vector<std::string>;

inline constexpr std::size_t kDns1123LabelBytesMax = 63;
inline constexpr std::size_t kDns1123SubdomainBytesMax = 253;
inline constexpr std::size_t kQualifiedNameBytesMax = 63;
inline constexpr std::size_t kLabelValueBytesMax = 63;

Faults CheckQualifiedName(std::string_view text);  // [prefix/]name, as keys of labels and taints
Faults CheckLabelValue(std::string_view text);
Faults CheckDns1123Label(std::string_view text);
Faults CheckDns1123Subdomain(std::string_view text);
Faults CheckDns1035Label(std::string_view text);
/// A key of a ConfigMap or a Secret, which is a file's name once it is mounted.
Faults CheckConfigMapKey(std::string_view text);
Faults CheckCIdentifier(std::string_view text);
/// Port names: at most 15 of a-z, 0-9, '-', at least one letter, no `--`, no '-' at the ends.
Faults CheckPortName(std::string_view text);
/// 1-65535.
Faults CheckPortNumber(std::int64_t port);
/// `42%`
Faults CheckPercent(std::string_view text);
/// An IPv4 or IPv6 address. Leading zeros are let pass, as upstream still does.
Faults CheckIp(std::string_view text);
/// An address, a slash and the number of leading bits that count.
Faults CheckCidr(std::string_view text);

}  // namespace plimsoll
