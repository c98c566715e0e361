#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/eviction_request/eviction_plan.h"
#include "controller/workload/condition.h"

/// The status of an Eviction while the controller works on it.
namespace plimsoll::controller {

namespace responder_state {
inline constexpr std::string_view kInactive = "Inactive";
inline constexpr std::string_view kActive = "Active";
inline constexpr std::string_view kCompleted = "Completed";
inline constexpr std::string_view kInterrupted = "Interrupted";
inline constexpr std::string_view kCanceled = "Canceled";
}  // namespace responder_state

inline constexpr std::string_view kTargetEvicted = "TargetEvicted";
inline constexpr std::string_view kFailed = "Failed";
inline constexpr std::string_view kReasonCanceled = "Canceled";
inline constexpr std::string_view kWantsEviction = "Eviction";

class EvictionState {
 public:
  struct Requester {
    std::string name;
    std::string intent;
    friend bool operator==(const Requester&, const Requester&) = default;
  };
  struct Responder {
    std::string name;
    std::int64_t priority = 0;
    std::string state;
    friend bool operator==(const Responder&, const Responder&) = default;
  };
  struct Report {
    std::string name;
    std::string start_time;
    std::string heartbeat_time;
    std::string expected_completion_time;
    std::string completion_time;
    std::string message;
    friend bool operator==(const Report&, const Report&) = default;
  };

  /// REQUIRES: the target has an Eviction.
  explicit EvictionState(const EvictionTarget& target);

  std::vector<Requester> requesters;
  std::vector<Responder> responders;
  std::vector<Report> reports;

  Responder* Active();
  /// Returns the report of the responder; adds an empty one.
  Report& ReportOf(std::string_view name);
  bool IsWanted() const;
  bool IsTrue(std::string_view type) const { return conditions_.IsTrue(type); }
  /// Returns true if the eviction has succeeded or failed.
  bool IsDone() const { return IsTrue(kTargetEvicted) || IsTrue(kFailed); }
  const WorkloadCondition* Condition(std::string_view type) const { return conditions_.Find(type); }
  void SetCondition(std::string_view type, bool is_true, std::string_view reason,
                    std::string_view message, Instant now);
  /// Returns when the eviction ended. REQUIRES: IsDone().
  Instant DoneAt() const;

  /// Returns a merge patch of all that has changed; empty if nothing has.
  std::string Patch() const;

 private:
  const api::Object& eviction_;
  WorkloadConditions conditions_;
  std::vector<Requester> requesters_before_;
  std::vector<Responder> responders_before_;
  std::vector<Report> reports_before_;
};

}  // namespace plimsoll::controller
