#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/time.h"

namespace plimsoll::controller {

/// An entry of status.conditions. Which times are set depends on the kind; others are empty.
struct WorkloadCondition {
  std::string type;
  std::string status;  // True, False, Unknown
  std::string reason;
  std::string message;
  std::string last_transition_time;
  std::string last_update_time;
  std::string last_probe_time;
  std::optional<std::int64_t> observed_generation;
};

/// The conditions of an object. They are edited here and written back as a whole, like upstream.
class WorkloadConditions {
 public:
  explicit WorkloadConditions(const api::Object& object);

  const WorkloadCondition* Find(std::string_view type) const;
  bool IsTrue(std::string_view type) const;
  /// Replaces the condition of the same type, or appends it.
  void Set(WorkloadCondition condition);
  void Remove(std::string_view type);

  /// Returns true if a condition was set or removed.
  bool is_changed() const { return is_changed_; }
  /// Returns the list as JSON; `null` if it is empty.
  std::string Json() const;

 private:
  std::vector<WorkloadCondition> conditions_;
  bool is_changed_ = false;
};

}  // namespace plimsoll::controller
