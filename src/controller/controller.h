#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/time.h"
#include "controller/action.h"

namespace plimsoll::controller {

/// A kind that a controller watches.
struct WatchedKind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  /// Fields (objects or lists) that the controller never reads, such as `spec.containers`. Fields
  /// that no controller of the process reads are not decoded. Must be short.
  std::span<const std::string_view> unread = {};
};

/// One controller, a pure core. Each controller numbers its own actions, from 1.
class Controller {
 public:
  virtual ~Controller() = default;

  /// Returns the name used in `--controllers`, for example `taint-eviction-controller`.
  virtual std::string_view name() const = 0;
  /// Returns the reporting component of its events, for example `taint-eviction-controller`.
  virtual std::string_view component() const = 0;
  virtual std::span<const WatchedKind> watched() const = 0;

  virtual void Observe(const InputEvent& event, Instant now, Actions& out) = 0;
  virtual void Wake(Instant now, Actions& out) = 0;
  virtual std::optional<Instant> NextWake() const = 0;
};

}  // namespace plimsoll::controller
