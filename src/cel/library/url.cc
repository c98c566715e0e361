#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_url", .name = "url", .signature = "string -> kubernetes.URL"},
    {.id = "url_get_scheme",
     .name = "getScheme",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_host",
     .name = "getHost",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_hostname",
     .name = "getHostname",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_port",
     .name = "getPort",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_escaped_path",
     .name = "getEscapedPath",
     .is_member = true,
     .signature = "kubernetes.URL -> string"},
    {.id = "url_get_query",
     .name = "getQuery",
     .is_member = true,
     .signature = "kubernetes.URL -> map(string, list(string))"},
    {.id = "is_url_string", .name = "isURL", .signature = "string -> bool"},
});

}  // namespace

const Library kUrlLibrary{.name = "url", .functions = kFunctions};

}  // namespace plimsoll::cel
