#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/time.h"
#include "controller/controller.h"

/// Decides what an eviction of lifecycle.k8s.io needs next, from the objects alone.
namespace plimsoll::controller {

/// The last responder of every pod. It uses the subresource pods/eviction.
inline constexpr std::string_view kImperativeEvictor = "imperative-eviction.k8s.io/evictor";

/// A responder without sign of life for this long loses its turn.
inline constexpr Duration kHeartbeatTimeout = std::chrono::minutes(20);
/// Time in which the active responder may report its completion after the pod is gone.
inline constexpr Duration kReportGrace = std::chrono::seconds(60);
/// An Eviction without requests is deleted this long after its end.
inline constexpr Duration kEvictionRetention = std::chrono::minutes(5);
/// A pod that is missing this long after the request was created does not exist. Watches of
/// different kinds are not ordered.
inline constexpr Duration kTargetLookupGrace = std::chrono::seconds(10);

/// A pod to evict, with the objects about it.
struct EvictionTarget {
  std::string namespace_;
  std::string name;
  std::string uid;
  std::map<std::string, ObjectPtr, std::less<>> requests;  // EvictionRequests, by name
  ObjectPtr eviction;                                      // null: none yet
  ObjectPtr pod;                                           // null: gone, or not seen yet
};

/// Result of the evictor's last attempt.
struct EvictorReport {
  Instant at;
  std::string message;
};

/// A write, or nothing, and the time of the next decision.
struct EvictionStep {
  enum class Kind : std::uint8_t { Nothing, Create, PatchLabels, PatchStatus, Delete, Post };
  struct Event {
    EventType type;
    std::string_view reason;  // a string literal
    std::string message;
  };

  Kind kind = Kind::Nothing;
  std::string body;                 // of Create and the patches
  std::vector<Event> events = {};   // about the pod, once the write has succeeded
  std::optional<Instant> due = {};  // if nothing else happens before
};

/// Returns the next write to the Eviction, or Post if the evictor must try. `report` may be null.
EvictionStep NextEvictionStep(const EvictionTarget& target, const EvictorReport* report,
                              Instant now);

/// A merge patch of a request's status; empty if it is up to date.
struct RequestStep {
  std::string patch;
  std::optional<Instant> due = {};
};
RequestStep NextRequestStep(const api::Object& request, const EvictionTarget& target, Instant now);

/// Returns true if a responder with this priority and name comes before the other.
bool RespondsBefore(std::int64_t priority, std::string_view name, std::int64_t other_priority,
                    std::string_view other_name);

}  // namespace plimsoll::controller
