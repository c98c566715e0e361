#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "api/action.h"
#include "api/object.h"
#include "base/result.h"
#include "base/time.h"

namespace plimsoll::api {

/// A change reported by an informer: added (no old), modified, deleted (no new). Cores must ignore
/// kinds that they do not handle.
struct ObjectChanged {
  ObjectPtr old_object;
  ObjectPtr new_object;
};

/// Outcome of an action.
struct ActionFinished {
  ActionId id = 0;
  Status status;
  ObjectPtr object = {};                         // the object that a GetObject has read
  std::shared_ptr<const std::string> body = {};  // the response to a QueryMetrics
};

/// The initial lists are complete. Cores request no actions before this event.
struct Synced {};

using CoreInput = std::variant<ObjectChanged, ActionFinished, Synced>;

/// A kind that a core watches. All texts are string literals or live as long as the core.
struct WatchedKind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  /// Paths of fields (objects or lists) that the core never reads, such as `spec.containers`.
  /// Fields that nobody reads are not decoded. Must be few.
  std::span<const std::string_view> unread = {};
  std::string_view field_selector = {};  // empty: all objects of the kind
};

/// Decides without I/O: changes of objects, outcomes of actions and the time come in, actions go
/// out. The same inputs give the same actions. A new core that observes the same objects continues
/// the work of a killed one. Not thread-safe; the runner calls it from one thread.
class PureCore {
 public:
  virtual ~PureCore() = default;

  /// Returns the kinds whose objects the core must observe. Constant during its life.
  virtual std::span<const WatchedKind> watched() const = 0;

  virtual void Observe(const CoreInput& input, const Turn& turn) = 0;
  virtual void Wake(const Turn& turn) = 0;
  /// Returns the time of the next Wake; a past time means now. Ask again after each call.
  virtual std::optional<Instant> NextWake() const = 0;
};

}  // namespace plimsoll::api
