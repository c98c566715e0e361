#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/time.h"

namespace plimsoll::controller {

/// One of status.conditions; of the times each kind has its own choice, empty when unset.
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

/// The conditions of an object, to be changed and written back as a whole, as upstream does.
class WorkloadConditions {
 public:
  explicit WorkloadConditions(const api::Object& object);

  const WorkloadCondition* Find(std::string_view type) const;
  bool IsTrue(std::string_view type) const;
  /// Replaces the one of that type, or adds it at the end.
  void Set(WorkloadCondition condition);
  void Remove(std::string_view type);

  /// Something was set or removed.
  bool is_changed() const { return is_changed_; }
  /// The list; null when it is empty.
  std::string Json() const;

 private:
  std::vector<WorkloadCondition> conditions_;
  bool is_changed_ = false;
};

}  // namespace plimsoll::controller
