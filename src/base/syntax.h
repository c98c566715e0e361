#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Syntax checks of names, labels and keys. Each function returns upstream's messages, one per
/// fault, and none if the text is valid. A valid text causes no allocation.
namespace plimsoll {

using Faults = std::vector<std::string>;

inline constexpr std::size_t kDns1123LabelBytesMax = 63;
inline constexpr std::size_t kDns1123SubdomainBytesMax = 253;
inline constexpr std::size_t kQualifiedNameBytesMax = 63;
inline constexpr std::size_t kLabelValueBytesMax = 63;

Faults CheckQualifiedName(std::string_view text);  // [prefix/]name, for keys of labels and taints
Faults CheckLabelValue(std::string_view text);
Faults CheckDns1123Label(std::string_view text);
Faults CheckDns1123Subdomain(std::string_view text);
Faults CheckDns1035Label(std::string_view text);
/// Key of a ConfigMap or a Secret, which becomes a file name when it is mounted.
Faults CheckConfigMapKey(std::string_view text);
Faults CheckCIdentifier(std::string_view text);
/// Port name: at most 15 of a-z, 0-9, '-', at least one letter, no `--`, no '-' at the ends.
Faults CheckPortName(std::string_view text);
/// 1-65535.
Faults CheckPortNumber(std::int64_t port);
/// `42%`
Faults CheckPercent(std::string_view text);
/// An IPv4 or IPv6 address. Leading zeros are accepted, as upstream still does.
Faults CheckIp(std::string_view text);
/// An address, a slash and the prefix length.
Faults CheckCidr(std::string_view text);

}  // namespace plimsoll
