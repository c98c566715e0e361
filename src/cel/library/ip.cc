#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_ip", .name = "ip", .signature = "string -> net.IP"},
    {.id = "is_ip", .name = "isIP", .signature = "string -> bool"},
    {.id = "ip_is_canonical", .name = "ip.isCanonical", .signature = "string -> bool"},
    {.id = "ip_family", .name = "family", .is_member = true, .signature = "net.IP -> int"},
    {.id = "ip_is_unspecified",
     .name = "isUnspecified",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_loopback",
     .name = "isLoopback",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_link_local_multicast",
     .name = "isLinkLocalMulticast",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_link_local_unicast",
     .name = "isLinkLocalUnicast",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_is_global_unicast",
     .name = "isGlobalUnicast",
     .is_member = true,
     .signature = "net.IP -> bool"},
    {.id = "ip_to_string", .name = "string", .signature = "net.IP -> string"},
});

}  // namespace

const Library kIpLibrary{.name = "ip", .functions = kFunctions};

}  // namespace plimsoll::cel
