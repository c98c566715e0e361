#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace plimsoll::store_kill {

/// What the one that is killed tells the one that checks, through a pipe. Small enough that the
/// kernel never splits one.
struct Report {
  enum class Kind : std::uint8_t {
    Opened,        // revision: the latest
    Asked,         // key shall become sequence; 0: shall be deleted
    Acknowledged,  // it is so, at revision
    CountAsked,    // counter `key` shall become sequence
    CountAcked,    // it is so, at revision
    CountRefused,  // another was faster
    Violated,      // a promise was broken; stderr says which
  };
  Kind kind{};
  std::uint32_t key = 0;
  std::int64_t sequence = 0;
  std::int64_t revision = 0;
};

inline constexpr std::uint32_t kWriters = 3;
inline constexpr std::uint32_t kKeysOfWriter = 16;
inline constexpr std::uint32_t kCounters = 2;
inline constexpr std::uint32_t kCountingThreads = 3;

/// `/w/00017`: key 17 is of writer 17 / kKeysOfWriter.
std::string KeyName(std::uint32_t key);
std::string CounterName(std::uint32_t counter);

/// A value that tells whether it is whole: key, sequence, filling and a checksum over all of it.
Bytes MakeValue(std::string_view key, std::int64_t sequence, std::size_t filling);
/// The sequence, or -1 when the value is not whole or of another key.
std::int64_t ReadValue(std::string_view key, std::string_view value);

/// Opens the store, writes, counts and watches until it is killed. Reports to the descriptor.
int RunVictim(const std::string& directory, std::uint64_t seed, std::int64_t round, int descriptor);

}  // namespace plimsoll::store_kill
