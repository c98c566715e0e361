#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_cidr", .name = "cidr", .signature = "string -> net.CIDR"},
    {.id = "is_cidr", .name = "isCIDR", .signature = "string -> bool"},
    {.id = "cidr_contains_ip_ip",
     .name = "containsIP",
     .is_member = true,
     .signature = "net.CIDR, net.IP -> bool"},
    {.id = "cidr_contains_ip_string",
     .name = "containsIP",
     .is_member = true,
     .signature = "net.CIDR, string -> bool"},
    {.id = "cidr_contains_cidr",
     .name = "containsCIDR",
     .is_member = true,
     .signature = "net.CIDR, net.CIDR -> bool"},
    {.id = "cidr_contains_cidr_string",
     .name = "containsCIDR",
     .is_member = true,
     .signature = "net.CIDR, string -> bool"},
    {.id = "cidr_ip", .name = "ip", .is_member = true, .signature = "net.CIDR -> net.IP"},
    {.id = "cidr_masked", .name = "masked", .is_member = true, .signature = "net.CIDR -> net.CIDR"},
    {.id = "cidr_prefix_length",
     .name = "prefixLength",
     .is_member = true,
     .signature = "net.CIDR -> int"},
    {.id = "cidr_to_string", .name = "string", .signature = "net.CIDR -> string"},
});

}  // namespace

const Library kCidrLibrary{.name = "cidr", .functions = kFunctions};

}  // namespace plimsoll::cel
