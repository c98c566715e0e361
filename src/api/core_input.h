#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "api/object.h"
#include "base/result.h"

/// What every pure core is told, the scheduler and the controllers alike. Whoever carries out an
/// action of a core hands its outcome back as an ActionFinished with the action's id, once.
namespace plimsoll::api {

using ActionId = std::uint64_t;

/// An informer's news: added (no old), changed, deleted (no new). Any kind; those that a core does
/// not know are passed over.
struct ObjectChanged {
  std::shared_ptr<const Object> old_object;
  std::shared_ptr<const Object> new_object;
};

struct ActionFinished {
  ActionId id = 0;
  Status status;
};

/// Everything that there was at the start has been told. Nothing is done before.
struct Synced {};

using CoreInput = std::variant<ObjectChanged, ActionFinished, Synced>;

/// Of the events that cores record.
enum class EventType : std::uint8_t { Normal, Warning };
constexpr std::string_view ToText(EventType type) {
  return type == EventType::Normal ? "Normal" : "Warning";
}

}  // namespace plimsoll::api
