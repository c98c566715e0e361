#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace plimsoll::store_kill {

/// A message from the victim to the referee through a pipe. It is smaller than PIPE_BUF, so the
/// kernel never splits it.
struct Report {
  enum class Kind : std::uint8_t {
    Opened,        // revision: the latest
    Asked,         // `key` is to become `sequence`; 0: is to be deleted
    Acknowledged,  // the write succeeded, at `revision`
    CountAsked,    // counter `key` is to become `sequence`
    CountAcked,    // the increment succeeded, at `revision`
    CountRefused,  // conflict with another thread
    Violated,      // a check failed; details are on stderr
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

/// Returns `/w/00017` for key 17, which belongs to writer 17 / kKeysOfWriter.
std::string KeyName(std::uint32_t key);
std::string CounterName(std::uint32_t counter);

/// Returns a value with key, sequence, filler and a checksum over all of it.
Bytes MakeValue(std::string_view key, std::int64_t sequence, std::size_t filling);
/// Returns the sequence, or -1 if the value is damaged or belongs to another key.
std::int64_t ReadValue(std::string_view key, std::string_view value);

/// Opens the store, writes, counts and watches until killed. Reports to the descriptor.
int RunVictim(const std::string& directory, std::uint64_t seed, std::int64_t round, int descriptor);

}  // namespace plimsoll::store_kill
