#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/queued_controller.h"
#include "controller/work_queue.h"

namespace plimsoll::controller {

/// Deletes the contents of terminating namespaces: upstream's namespace controller.
/// Pods are deleted first, so that none runs without the objects that it needs. Then
/// all other objects are deleted. When the namespace is empty, its finalizer is
/// removed.
class NamespaceController final : public QueuedController {
 public:
  /// Interval at which the deletion of remaining objects is requested again.
  static constexpr Duration kRepeat = std::chrono::seconds(15);

  NamespaceController();

  std::string_view name() const override { return "namespace-controller"; }
  std::string_view component() const override { return "namespace-controller"; }
  void MeasureQueues(WorkQueueMetrics& metrics) override {
    queue_.Measure(metrics.Add("namespace"));
  }
  std::span<const WatchedKind> watched() const override { return watched_; }

 private:
  using Objects = std::map<std::string, ObjectPtr, std::less<>>;  // by name
  using Contents = std::map<const api::KindDesc*, Objects>;

  /// Progress of a namespace. Each stage requests deletion once, then again every kRepeat.
  enum class Stage : std::uint8_t { Pods, Rest };
  struct Space {
    ObjectPtr object;
    Stage stage = Stage::Pods;
    std::optional<Instant> asked;  // time of this stage's last deletion requests
    std::set<ActionId> writes{};
    ActionId own_write = 0;               // the one that writes the namespace itself
    std::vector<std::string> failures{};  // errors of the current requests
    bool is_stale = false;
  };

  void OnChange(const ObjectChanged& change, Instant now) override;
  void Finish(const ActionFinished& finished, const Turn& turn) override;
  void Run(const Turn& turn) override;
  std::optional<Instant> NextDue() const override { return queue_.NextWake(); }
  void Sync(const std::string& name, Space& space, const Turn& turn);
  void RequestDeletion(const std::string& name, Space& space, const Turn& turn);
  void Finalize(const std::string& name, Space& space, const Turn& turn);
  void WriteConditions(const std::string& name, Space& space, const Turn& turn);
  bool HasContents(const std::string& name, Stage stage) const;
  ActionId Begin(const std::string& name, Space& space);

  std::vector<WatchedKind> watched_;
  std::vector<const api::KindDesc*> kinds_;  // namespaced kinds, including Event
  const api::KindDesc* namespace_kind_;
  const api::KindDesc* pod_kind_;
  WorkQueue<std::string> queue_;
  std::map<std::string, Space, std::less<>> spaces_;       // terminating ones
  std::map<std::string, Contents, std::less<>> contents_;  // of all namespaces
  std::map<ActionId, std::string> writes_;
  ActionId next_id_ = 1;
};

}  // namespace plimsoll::controller
