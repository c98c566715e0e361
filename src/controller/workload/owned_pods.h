#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "base/time_arithmetic.h"
#include "controller/controller.h"

namespace plimsoll::controller {

/// In the order in which upstream prefers to delete pods.
enum class PodPhase : std::uint8_t { Pending, Unknown, Running, Succeeded, Failed };

/// Fields of a pod that workload controllers use, decoded once per event.
struct OwnedPod {
  ObjectPtr object;
  PodPhase phase = PodPhase::Pending;
  bool is_terminating = false;  // has a deletion timestamp
  bool is_ready = false;
  Instant ready_since{};

  const api::ObjectMeta& metadata() const { return object->metadata(); }
  const api::Pod& view() const { return *object->As<api::Pod>(); }
  bool is_finished() const { return phase == PodPhase::Succeeded || phase == PodPhase::Failed; }
  bool is_active() const { return !is_finished() && !is_terminating; }
  Instant available_at(Duration min_ready) const { return SaturatingAdd(ready_since, min_ready); }
  bool is_available(Duration min_ready, Instant now) const {
    return is_ready && (min_ready <= Duration::zero() || available_at(min_ready) <= now);
  }
};

OwnedPod ReadPod(const ObjectPtr& pod);

/// Returns the owner reference with `controller: true`, or null.
const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata);

struct PodCounts {
  std::int64_t active = 0;
  std::int64_t ready = 0;          // of the active ones
  std::int64_t available = 0;      // ready for minReadySeconds
  std::int64_t fully_labeled = 0;  // with all labels of the template
  std::int64_t terminating = 0;    // terminating, not finished

  friend bool operator==(const PodCounts&, const PodCounts&) = default;
};

/// The pods of one owner by name, with counts that are updated at every change.
class OwnedPods {
 public:
  using Map = std::map<std::string, OwnedPod, std::less<>>;
  using Labels = std::vector<std::pair<std::string, std::string>>;

  /// Sets minReadySeconds and the template's labels. Recounts if they have changed.
  void Configure(Duration min_ready, Labels template_labels, Instant now);

  void Put(const ObjectPtr& pod, Instant now);
  void Erase(std::string_view name);
  /// Counts pods that have become available by `now`.
  void Advance(Instant now);
  /// Returns when the next pod becomes available.
  std::optional<Instant> NextAvailable() const;

  const OwnedPod* Find(std::string_view name) const;
  const Map& all() const { return pods_; }
  const PodCounts& counts() const { return counts_; }
  Duration min_ready() const { return min_ready_; }

 private:
  void Count(const OwnedPod& pod, std::int64_t by, Instant now);

  Map pods_;
  PodCounts counts_;
  Duration min_ready_{};
  Labels template_labels_;
  std::set<std::pair<Instant, std::string>> becoming_available_;  // ready, not yet available
  std::set<std::string, std::less<>> available_;
};

}  // namespace plimsoll::controller
