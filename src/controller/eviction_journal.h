#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/object.h"
#include "base/time.h"

namespace plimsoll::controller {

/// A fact about the eviction of one pod. The texts are valid during the call of Note only.
struct EvictionFact {
  enum class Type : std::uint8_t { CountdownStarted, CountdownCancelled, HeldBack, Evicted };

  Type type = Type::Evicted;
  const api::Object& pod;
  Instant time{};
  std::string_view node = {};       // name; empty if unknown
  std::string_view taint = {};      // KEY=VALUE:EFFECT, or the name of a DeviceTaintRule
  std::string_view policy = {};     // EvictionPolicy behind the fact; empty: none
  std::string_view reason = {};     // HeldBack: the limit; CountdownCancelled: the cause
  std::optional<Instant> due = {};  // time at which the countdown ends
};

/// Receives facts about evictions, in order, from the thread of the controllers. Must be cheap.
class EvictionJournal {
 public:
  virtual ~EvictionJournal() = default;
  virtual void Note(const EvictionFact& fact) = 0;
};

}  // namespace plimsoll::controller
