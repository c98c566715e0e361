#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "api/object.h"
#include "base/result.h"

/// Input events of every pure core (scheduler and controllers). The runner that executes a core's
/// action must return its outcome exactly once, as an ActionFinished with the action's id.
namespace plimsoll::api {

using ActionId = std::uint64_t;

/// A change reported by an informer: added (no old), modified, deleted (no new). Cores must ignore
/// kinds that they do not handle.
struct ObjectChanged {
  std::shared_ptr<const Object> old_object;
  std::shared_ptr<const Object> new_object;
};

struct ActionFinished {
  ActionId id = 0;
  Status status;
};

/// The initial lists are complete. Cores emit no actions before this event.
struct Synced {};

using CoreInput = std::variant<ObjectChanged, ActionFinished, Synced>;

/// Type of an event that a core records.
enum class EventType : std::uint8_t { Normal, Warning };
constexpr std::string_view ToText(EventType type) {
  return type == EventType::Normal ? "Normal" : "Warning";
}

}  // namespace plimsoll::api
