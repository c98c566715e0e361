#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Parsers for files of Linux' /proc.
namespace plimsoll {

/// Part of /proc/<pid>/stat.
struct ProcessStat {
  std::uint64_t start_ticks = 0;  // since boot, in units of sysconf(_SC_CLK_TCK)
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_pages = 0;
};

/// Returns nothing if the text has another form.
std::optional<ProcessStat> ParseProcessStat(std::string_view text);

/// Bytes of IP packets of a network namespace.
struct NetworkOctets {
  std::uint64_t in = 0;
  std::uint64_t out = 0;
};

/// Parses /proc/<pid>/net/netstat. Returns nothing if it has no such counters.
std::optional<NetworkOctets> ParseNetworkOctets(std::string_view text);

}  // namespace plimsoll
