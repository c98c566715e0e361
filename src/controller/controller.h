#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/time.h"
#include "controller/action.h"

namespace plimsoll::controller {

/// A kind that a controller wants to be told of.
struct WatchedKind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  /// Objects and lists that it never looks at, `spec.containers`: what no controller does is not
  /// read from what the server sends. A handful.
  std::span<const std::string_view> unread = {};
};

/// One controller, a pure core. Action ids are its own affair: each controller counts from 1.
class Controller {
 public:
  virtual ~Controller() = default;

  /// As `--controllers` names it: `taint-eviction`.
  virtual std::string_view name() const = 0;
  /// The component that its events come from: `taint-eviction-controller`.
  virtual std::string_view component() const = 0;
  virtual std::span<const WatchedKind> watched() const = 0;

  virtual void Observe(const InputEvent& event, Instant now, Actions& out) = 0;
  virtual void Wake(Instant now, Actions& out) = 0;
  virtual std::optional<Instant> NextWake() const = 0;
};

}  // namespace plimsoll::controller
